import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct PNGEncodingTests {
  private func picture(alpha: (_ x: Int, _ y: Int) -> UInt8 = { _, _ in 255 }) throws -> PixelBuffer
  {
    let layout = try require(PixelLayout(format: .bgra, width: 37, height: 23, bytesPerRow: [160]))
    var bytes = [UInt8](repeating: 0x55, count: 160 * 23)
    for y in 0..<23 {
      for x in 0..<37 {
        bytes[y * 160 + x * 4] = UInt8(truncatingIfNeeded: x * 7 + y)
        bytes[y * 160 + x * 4 + 1] = UInt8(truncatingIfNeeded: x * y)
        bytes[y * 160 + x * 4 + 2] = UInt8(truncatingIfNeeded: y * 11)
        bytes[y * 160 + x * 4 + 3] = alpha(x, y)
      }
    }
    return try require(PixelBuffer(layout: layout, bytes: bytes))
  }

  private func isSame(_ first: PixelBuffer, _ second: PixelBuffer) -> Bool {
    (0..<first.height).allSatisfy { y in
      (0..<first.width).allSatisfy { first.bgra($0, y) == second.bgra($0, y) }
    }
  }

  /// The colour type in a PNG's header.
  private func colorType(_ png: Data) -> UInt8 { png[25] }

  @Test func losesNothing() throws {
    for (pixels, expected) in [
      (try picture(), 2), (try picture { x, y in UInt8(truncatingIfNeeded: x * y) }, 6),
    ] as [(PixelBuffer, UInt8)] {
      let png = try require(Image(pixels).pngData())
      #expect(colorType(png) == expected)
      #expect(png.pngChunks.map(\.type).filter { $0 != "IDAT" } == ["IHDR", "IEND"])
      #expect(isSame(try Image(png).pixelBuffer(), pixels))
    }
  }

  @Test(arguments: [PixelFormat.grey, .rgb24, .bgr24, .yuyv, .nv12])
  func encodesEveryFormatAsItIsShown(_ format: PixelFormat) throws {
    let image = Image(try Scene.gradient(width: 33, height: 17).pixels(format))
    let png = try require(image.pngData())
    #expect(colorType(png) == (format == .grey ? 0 : 2))
    #expect(isSame(try Image(png).pixelBuffer(), try image.pixelBuffer()))
  }

  @Test func takesNoAlphaAtAllForNone() throws {
    let png = try require(Image(picture { _, _ in 0 }).pngData())
    #expect(colorType(png) == 2)
  }

  @Test func keepsGreyPicturesGrey() throws {
    let jpeg = try JPEGEncoder().encode(Scene.greyRamp(width: 64, height: 40).pixels(.grey))
    let image = try Image(jpeg)
    let png = try require(image.pngData())
    #expect(colorType(png) == 0)
    #expect(isSame(try Image(png).pixelBuffer(), try image.pixelBuffer()))
  }

  @Test func decodesEveryKindToWhatItEncodesAgain() throws {
    for (colorType, depth) in PNGBytes.kinds {
      var made = PNGBytes(width: 19, height: 11, colorType: colorType, depth: depth) {
        x, y, channel in
        (x * 31 + y * 17 + channel * 101) % (1 << min(depth, 16))
      }
      if colorType == 3 {
        made.chunks = [
          ("PLTE", (0..<(3 << depth)).map { UInt8(truncatingIfNeeded: $0 * 37) }),
          ("tRNS", [0, 128]),
        ]
      }
      let image = try Image(made.data)
      let again = try Image(require(image.pngData()))
      #expect(isSame(try again.pixelBuffer(), try image.pixelBuffer()))
    }
  }

  @Test func showsTransparentPixelsOnWhiteInAJPEG() throws {
    let clear = Image(try picture { x, _ in x < 16 ? 0 : 255 })
    for image in [clear, try Image(require(clear.pngData()))] {
      let jpeg = try Image(require(image.jpegData(compressionQuality: 1)))
      #expect(try jpeg.pixelBuffer().bgra(4, 4).allSatisfy { $0 >= 250 })
      let (ours, theirs) = (
        try jpeg.pixelBuffer().bgra(30, 12), try image.pixelBuffer().bgra(30, 12)
      )
      #expect(zip(ours, theirs).allSatisfy { abs(Int($0) - Int($1)) < 12 })
    }
  }

  @Test(.enabled(if: Programs.convert != nil, "ImageMagick's convert is not installed"))
  func isReadAlikeByImageMagick() throws {
    let folder = try ScratchFolder()
    let pixels = try picture { x, y in UInt8(truncatingIfNeeded: x * y) }
    let file = try folder.file("ours.png", try require(Image(pixels).pngData()))
    let theirs = [UInt8](try Programs.run(Programs.convert, [file, "-depth", "8", "BGRA:-"]))
    try #require(theirs.count == 37 * 23 * 4)
    for y in 0..<23 {
      for x in 0..<37 {
        let place = (y * 37 + x) * 4
        #expect(Array(theirs[place..<place + 4]) == pixels.bgra(x, y))
      }
    }
  }
}
