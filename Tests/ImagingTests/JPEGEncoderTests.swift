import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct JPEGEncoderTests {
  @Test(arguments: Scene.rawFormats, ColorDescription.all)
  func keepsTheColoursOfEveryInputFormat(
    _ format: PixelFormat, _ description: ColorDescription
  ) throws {
    for scene in [Scene.greyRamp(), .bars()] {
      let pixels = try scene.pixels(format, description, gap: 12)
      let jpeg = try JPEGEncoder(quality: 1).encode(pixels)

      let shown = try Image(jpeg).pixelBuffer()
      // A decoder smooths chroma over the edges of the bars.
      let error = shown.largestError(inColumns: scene.columnsWithinBars) {
        scene.shown($0, $1, format, description)
      }
      // Rounding to full-range BT.601 and back moves a channel by up to 1.9.
      #expect(error <= 2, "\(scene.width): \(error)")
    }
  }

  @Test(arguments: Scene.rawFormats)
  func encodesEverySizeFromOnePixelToSeveralBlocks(_ format: PixelFormat) throws {
    for width in 1...33 {
      for height in [width, 34 - width] {
        let scene = Scene.gradient(width: width, height: height)
        let pixels = try scene.pixels(format, .bt601Limited, gap: width % 3)
        let shown = try Image(JPEGEncoder(quality: 1).encode(pixels)).pixelBuffer()

        #expect(shown.width == width && shown.height == height)
        // The decoder smooths chroma, which a gradient over few pixels shows.
        let error = shown.largestError { scene.shown($0, $1, format, .bt601Limited) }
        #expect(error <= 40, "\(width)×\(height)")
        let luma = meanLumaError(shown, scene, format)
        #expect(luma <= 2, "\(width)×\(height)")
      }
    }
  }

  private func meanLumaError(_ pixels: PixelBuffer, _ scene: Scene, _ format: PixelFormat) -> Double
  {
    var sum = 0.0
    for y in 0..<pixels.height {
      for x in 0..<pixels.width {
        let pixel = pixels.bgra(x, y).map(Double.init)
        let color = scene.shown(x, y, format, .bt601Limited)
        let shown = 0.114 * pixel[0] + 0.587 * pixel[1] + 0.299 * pixel[2]
        sum += abs(shown - (0.114 * color.blue + 0.587 * color.green + 0.299 * color.red))
      }
    }
    return sum / Double(pixels.width * pixels.height)
  }

  @Test(arguments: Scene.rawFormats)
  func readsNothingBesideTheSamples(_ format: PixelFormat) throws {
    let scene = Scene.gradient(width: 45, height: 19)
    let tight = try JPEGEncoder().encode(scene.pixels(format))
    let withGaps = try JPEGEncoder().encode(scene.pixels(format, gap: 38))
    #expect(tight == withGaps)
  }

  @Test(arguments: Scene.rawFormats, ColorDescription.all)
  func givesTheSameBytesOnEveryProcessor(
    _ format: PixelFormat, _ description: ColorDescription
  ) throws {
    let pixels = try Scene.noise(width: 133, height: 21).pixels(format, description)
    var encoder = JPEGEncoder()
    let best = try encoder.encode(pixels)
    for loops in Loops.allCases {
      encoder.loops = loops
      #expect(try encoder.encode(pixels) == best, "\(loops)")
    }
  }

  @Test(
    arguments: [
      (PixelFormat.yuyv, "4:2:2"), (.uyvy, "4:2:2"), (.nv12, "4:2:0"), (.yuv420, "4:2:0"),
      (.grey, "grey"), (.rgb24, "4:2:2"),
    ])
  func keepsTheSamplingOfTheInput(_ format: PixelFormat, _ sampling: String) throws {
    let jpeg = try JPEGEncoder().encode(Scene.bars().pixels(format))
    #expect(try jpeg.jpegHeader().samplingDescription == sampling)
  }

  @Test func keepsTheChromaOfRGBWholeAtHighQuality() throws {
    let jpeg = try JPEGEncoder(quality: 0.9).encode(Scene.bars().pixels(.bgra32))
    #expect(try jpeg.jpegHeader().samplingDescription == "4:4:4")
  }

  @Test(
    arguments: [
      (Double.nan, 0.85), (-1, 0), (0, 0), (0.85, 0.85), (1, 1), (7, 1), (.infinity, 1),
    ])
  func takesAnyNumberForAQuality(_ given: Double, _ counts: Double) throws {
    let encoder = JPEGEncoder(quality: given)
    #expect(encoder.quality == counts)
    #expect(try Image(encoder.encode(Scene.bars().pixels(.yuyv))).pixelWidth == 128)
  }

  @Test func spendsMoreBytesOnMoreQuality() throws {
    let pixels = try Scene.gradient(width: 200, height: 100).pixels(.yuyv)
    let sizes = try [0, 0.3, 0.6, 0.9, 1].map { try JPEGEncoder(quality: $0).encode(pixels).count }
    #expect(sizes == sizes.sorted() && Set(sizes).count == sizes.count)
  }

  @Test(arguments: [PixelFormat.nv12, .bgra32])
  func writesExifDirectlyAfterTheStart(_ format: PixelFormat) throws {
    var metadata = ImageMetadata()
    metadata.orientation = .right
    metadata.make = "Ours"
    let jpeg = try JPEGEncoder().encode(Scene.bars().pixels(format), metadata: metadata)

    #expect(jpeg.jpegMarkers.first == 0xE1)
    #expect(jpeg.jpegMarkers.filter { (0xE0...0xEF).contains($0) } == [0xE1])
    #expect(jpeg.imageMetadata == metadata)
  }

  @Test func writesJFIFWhereThereIsNothingToSay() throws {
    let jpeg = try JPEGEncoder().encode(Scene.bars().pixels(.nv12))
    #expect(jpeg.jpegMarkers.filter { (0xE0...0xEF).contains($0) } == [0xE0])
  }

  @Test func growsItsOutputForPicturesThatDoNotCompress() throws {
    let noise = Scene(width: 256, height: 256) { x, y in
      let mixed = (x &* 7919 ^ y &* 104_729) &* 2_654_435_761
      return Scene.Color(
        red: Double(mixed >> 3 & 255), green: Double(mixed >> 9 & 255),
        blue: Double(mixed >> 15 & 255))
    }
    let jpeg = try JPEGEncoder(quality: 1).encode(noise.pixels(.rgb24))
    #expect(jpeg.count > 256 * 256)
    #expect(try Image(jpeg).pixelBuffer().width == 256)
  }

  @Test func refusesWhatLibjpegCannotHold() throws {
    let wide = try require(PixelLayout(format: .grey, width: 65_501, height: 1))
    let pixels = try require(
      PixelBuffer(layout: wide, bytes: [UInt8](repeating: 0, count: 65_501)))
    let error = #expect(throws: ImagingError.self) { try JPEGEncoder().encode(pixels) }
    #expect(error?.code == .tooLarge)
  }
}
