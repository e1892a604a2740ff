import Foundation
import Testing

@testable import Imaging

/// Texts of a few kilobytes that inflate to gigabytes.
@Suite(.timeLimit(.minutes(1)))
struct PNGTextBombTests {
  private static let size = 1 << 16

  /// A chunk whose text is compressed; a damaged one has the wrong checksum at its end.
  private static func chunk(
    _ type: String, _ text: String = "", byteCount: Int = size, isDamaged: Bool = false
  ) throws -> (String, [UInt8]) {
    let content = Data(text.utf8) + Data(repeating: 0x20, count: byteCount - text.utf8.count)
    var compressed = [UInt8](try require(LibPNGBridge.deflated(content)))
    if isDamaged { compressed[compressed.count - 1] ^= 0xFF }
    switch type {
    case "iTXt": return (type, Array("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8) + compressed)
    default: return (type, Array("Comment\0\0".utf8) + compressed)
    }
  }

  private static func png(_ chunks: [(String, [UInt8])]) -> Data {
    var png = PNGBytes(width: 4, height: 4, colorType: 0, depth: 8) { x, _, _ in x }
    png.chunks = chunks
    return png.data
  }

  @Test(arguments: ["iTXt", "zTXt"], [false, true])
  func inflatesNoMoreThanIsAllowedAltogether(_ type: String, _ isDamaged: Bool) throws {
    let chunks = try (0..<3).map { _ in try Self.chunk(type, isDamaged: isDamaged) }
    let data = Self.png(chunks)

    let error = #expect(throws: ImagingError.self) {
      try Image(data, limits: .init(metadataByteCount: 3 * Self.size - 1)).strippingLocation()
    }
    let stripped = try Image(data, limits: .init(metadataByteCount: 3 * Self.size))
      .strippingLocation()

    #expect(error?.code == .tooLarge)
    #expect(error?.description.contains("metadataByteCount") == true)
    let kept = try require(stripped.encodedData).pngChunks.filter { $0.type == type }
    #expect(kept.count == (isDamaged ? 0 : 3))
  }

  @Test func refusesAThousandLargeTextsInAMoment() throws {
    let chunk = try Self.chunk("iTXt", byteCount: 8 << 20)
    let data = PNGBytes.chunk(chunk.0, chunk.1)
    let empty = Self.png([])
    // Behind the signature and the header.
    let image = try Image(
      empty.prefix(33) + Data(repeatElement(data, count: 1000).joined()) + empty.dropFirst(33))

    let clock = ContinuousClock()
    let start = clock.now
    let error = #expect(throws: ImagingError.self) { try image.strippingLocation() }

    #expect(error?.code == .tooLarge)
    #expect(clock.now - start < .seconds(5))
    #expect(try image.strippingAllMetadata().encodedData?.pngChunks.count == 3)
    #expect(try image.pixelBuffer().width == 4)
  }

  @Test func takesTheLocationOutOfAnInflatedText() throws {
    let xmp = "<x:xmpmeta><a exif:GPSLatitude=\"48,51.5N\" dc:title=\"Ours\"/></x:xmpmeta>"
    let image = try Image(Self.png([Self.chunk("iTXt", xmp)]))
    let stripped = try require(image.strippingLocation().encodedData?.pngContent(of: "iTXt"))
    #expect(stripped.range(of: Data("48,51.5N".utf8)) == nil)
    #expect(stripped.range(of: Data("Ours".utf8)) != nil)
  }
}
