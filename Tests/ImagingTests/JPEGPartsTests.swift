import Foundation
import Testing

@testable import Imaging

/// Pictures that several threads encode.
@Suite(.timeLimit(.minutes(1)))
struct JPEGPartsTests {
  /// Hard to compress, so that no two blocks are alike.
  private static func noise(_ width: Int, _ height: Int) -> Scene {
    Scene(width: width, height: height) { x, y in
      let mixed = (x &* 7919 ^ y &* 104_729) &* 2_654_435_761
      return Scene.Color(
        red: Double(x & 127 + mixed & 63), green: Double(y & 127 + mixed >> 8 & 63),
        blue: Double(mixed >> 16 & 255))
    }
  }

  @Test(
    arguments: [PixelFormat.yuyv, .nv12, .yuv420, .grey, .rgb24, .bgra32],
    [(512, 512, 2), (509, 523, 3), (1030, 512, 8)])
  func havePixelsAsOneThreadMakesThem(_ format: PixelFormat, _ shape: (Int, Int, Int)) throws {
    let color = ColorDescription(matrix: .bt709, range: .limited)
    let pixels = try Self.noise(shape.0, shape.1).pixels(format, color, gap: 4)

    let one = try JPEGEncoder().encode(pixels)
    let several = try JPEGEncoder(threads: shape.2).encode(pixels)

    #expect(one.restartMarkers.isEmpty)
    let parts = min(shape.2, shape.0 * shape.1 / 65_536)
    #expect(several.restartMarkers == (0..<parts - 1).map { $0 % 8 })
    let decoded = try Image(several).pixelBuffer()
    #expect(try Image(one).pixelBuffer().isSame(as: decoded))
  }

  @Test func countRestartMarkersInVeryLargePictures() throws {
    // A part has more units, 8 by 8 pixels, than a restart interval can have.
    let (width, height) = (4096, 2304)
    let layout = try require(PixelLayout(format: .grey, width: width, height: height))
    let piece = (0..<width * 9 + 1).map { UInt8(truncatingIfNeeded: $0 >> 3 ^ $0 >> 11) }
    var bytes: [UInt8] = []
    while bytes.count < width * height { bytes += piece }
    let pixels = try require(PixelBuffer(layout: layout, bytes: bytes))

    let one = try JPEGEncoder(quality: 0.5).encode(pixels)
    let two = try JPEGEncoder(quality: 0.5, threads: 2).encode(pixels)

    #expect(two.restartMarkers == (0..<15).map { $0 % 8 })
    #expect(try Image(one).pixelBuffer().isSame(as: Image(two).pixelBuffer()))
  }

  @Test(arguments: [PixelFormat.nv12, .bgra32, .grey])
  func areOnePictureForDjpeg(_ format: PixelFormat) throws {
    let pixels = try Self.noise(700, 500).pixels(format)
    try Programs.withFolder { folder in
      for (name, threads) in [("one", 1), ("five", 5)] {
        let jpeg = try JPEGEncoder(threads: threads).encode(pixels)
        #expect(jpeg.restartMarkers.count == threads - 1)
        try jpeg.write(to: folder.appending(path: "\(name).jpg"))
      }
      // It says nothing where nothing is wrong.
      let script =
        "djpeg -outfile one.ppm one.jpg; djpeg -outfile five.ppm five.jpg; cmp one.ppm five.ppm"
      #expect(try Programs.run(script, in: folder).isEmpty)
    }
  }

  @Test func keepTheirMetadata() throws {
    var metadata = ImageMetadata()
    metadata.orientation = .right
    let pixels = try Self.noise(512, 512).pixels(.nv12)
    let jpeg = try JPEGEncoder(threads: 2).encode(pixels, metadata: metadata)
    let image = try Image(jpeg)
    #expect(image.metadata == metadata)
    #expect(image.pixelWidth == 512 && image.pixelHeight == 512)
  }

  @Test func areNotMadeOfSmallPictures() throws {
    let pixels = try Scene.bars().pixels(.yuyv)
    #expect(try JPEGEncoder(threads: 8).encode(pixels) == JPEGEncoder().encode(pixels))
  }

  @Test(arguments: [1, 2, 3]) func areNoPictureWhereOneOfThemFails(_ part: Int) throws {
    let pixels = try Self.noise(1024, 512).pixels(.nv12)
    var encoder = JPEGEncoder(threads: 3)
    encoder.failingPart = part
    let error = #expect(throws: ImagingError.self) { try encoder.encode(pixels) }
    #expect(error?.code == .tooLarge)
    encoder.failingPart = 0
    #expect(try Image(encoder.encode(pixels)).pixelBuffer().width == 1024)
  }

  @Test(arguments: [(Int.min, 1), (0, 1), (1, 1), (5, 5), (.max, 8)])
  func areAsManyAsAnEncoderTakes(_ given: Int, _ counts: Int) {
    #expect(JPEGEncoder(threads: given).threads == counts)
  }
}

extension PixelBuffer {
  /// Whether all bytes of a picture of one plane are the same.
  fileprivate func isSame(as other: PixelBuffer) -> Bool {
    withUnsafePlanes { own in
      other.withUnsafePlanes { Data(own[0]) == Data($0[0]) }
    }
  }
}

extension Data {
  /// The numbers of the restart markers in their order.
  fileprivate var restartMarkers: [Int] {
    var numbers: [Int] = []
    var place = 0
    while let next = LibJPEGBridge.nextMarker(in: bytes, from: place, withRestarts: true) {
      if let marker = bytes.byte(at: next + 1), (0xD0...0xD7).contains(marker) {
        numbers.append(Int(marker & 7))
      }
      place = next + 2
    }
    return numbers
  }
}
