import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct ImageFormatTests {
  private static func brands(_ brands: String...) -> [UInt8] {
    let text = "ftyp" + brands[0] + "\0\0\0\0" + brands.dropFirst().joined()
    return PNGBytes.bigEndian(text.utf8.count + 4) + Array(text.utf8)
  }

  private static let beginnings: [(ImageFormat, [UInt8])] = [
    (.jpeg, [0xFF, 0xD8, 0xFF, 0xE0]), (.png, [0x89] + Array("PNG\r\n\u{1A}\n".utf8)),
    (.gif, Array("GIF87a".utf8)), (.gif, Array("GIF89a".utf8)),
    (.webp, Array("RIFF\0\0\0\0WEBPVP8 ".utf8)), (.tiff, Array("II*\0".utf8)),
    (.tiff, Array("MM\0*".utf8)), (.bmp, Array("BMxxxx\0\0\0\0".utf8)), (.jpegXL, [0xFF, 0x0A]),
    (.jpegXL, Array("\0\0\0\u{0C}JXL \r\n".utf8)), (.heic, brands("heic", "mif1")),
    (.heic, brands("mif1", "heic")), (.heic, brands("msf1", "hevc")), (.avif, brands("avif")),
    (.avif, brands("mif1", "miaf", "avif")), (.avif, brands("avis")), (.heic, brands("mif1")),
  ]

  @Test(arguments: beginnings.indices)
  func isToldByContent(_ index: Int) throws {
    let (format, beginning) = Self.beginnings[index]
    let data = Data(beginning + [UInt8](repeating: 0, count: 64))
    #expect(ImageFormat(recognizing: data.bytes) == format)
    guard format != .jpeg, format != .png else { return }
    let error = #expect(throws: ImagingError.self) { try Image(data) }
    #expect(error?.code == .unsupported && error?.description.contains(format.name) == true)
  }

  @Test func isNoneOfOtherBytes() {
    for bytes in [
      [], [0], Array("<html>".utf8), Self.brands("isom", "mp42"), Array("RIFF\0\0\0\0WAVE".utf8),
      Array("BM and other text".utf8),
    ] as [[UInt8]] {
      #expect(ImageFormat(recognizing: bytes.span.bytes) == nil)
    }
  }

  @Test(
    .enabled(if: Programs.convert != nil, "ImageMagick's convert is not installed"),
    arguments: ["gif", "tiff", "bmp", "webp"])
  func isToldOfImageMagicksFiles(_ name: String) throws {
    let folder = try ScratchFolder()
    let file = folder.path("made.\(name)")
    do {
      _ = try Programs.run(Programs.convert, ["-size", "8x8", "gradient:", file])
    } catch is Programs.Failure {
      return  // Not every build of it writes WebP.
    }
    let error = #expect(throws: ImagingError.self) { try Image(contentsOf: URL(filePath: file)) }
    #expect(error?.code == .unsupported)
    #expect(error?.description.lowercased().contains(name) == true)
  }
}
