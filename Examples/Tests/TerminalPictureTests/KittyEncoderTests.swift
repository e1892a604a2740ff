import Foundation
import Imaging
import Testing

@testable import TerminalPicture

@Suite(.timeLimit(.minutes(1)))
struct KittyEncoderTests {
  /// Commands of the graphics protocol: their keys, and what follows them.
  private static func commands(_ bytes: [UInt8]) -> [(keys: [String: String], payload: String)] {
    String(decoding: bytes, as: UTF8.self).components(separatedBy: "\u{1B}_G").dropFirst().map {
      let parts = $0.components(separatedBy: "\u{1B}\\")[0].split(
        separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
      let pairs = parts[0].split(separator: ",").map { $0.split(separator: "=") }
      return (
        Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) }),
        parts.count == 2 ? String(parts[1]) : ""
      )
    }
  }

  private static func picture(width: Int, height: Int) throws -> PixelBuffer {
    try PixelBuffer(format: .bgra, width: width, height: height) { _, y, row in
      for x in 0..<width {
        for (offset, byte) in [x, y, x + y, 255].enumerated() {
          row.storeBytes(
            of: UInt8(truncatingIfNeeded: byte), toByteOffset: 4 * x + offset, as: UInt8.self)
        }
      }
    }
  }

  @Test(arguments: [(1, 1), (32, 32), (97, 51), (64, 48)])
  func sendsAllPixelsInChunks(width: Int, height: Int) throws {
    var encoder = KittyEncoder(size: TerminalSize(columns: 80, rows: 24), number: 7)
    let bytes = try encoder.encode(Self.picture(width: width, height: height))
    let commands = Self.commands(try #require(bytes))
    let first = try #require(commands.first)
    #expect(first.keys["a"] == "T" && first.keys["f"] == "24" && first.keys["i"] == "7")
    #expect(first.keys["s"] == "\(width)" && first.keys["v"] == "\(height)")
    #expect(first.keys["c"] == "80" && first.keys["r"] == "24")
    #expect(commands.dropLast().allSatisfy { $0.keys["m"] == "1" && $0.payload.count == 4096 })
    #expect(commands.last?.keys["m"] == "0")
    #expect(commands.allSatisfy { $0.keys["q"] == "2" && $0.payload.count <= 4096 })
    let pixels = try #require(Data(base64Encoded: commands.map(\.payload).joined()))
    #expect(pixels.count == width * height * 3)
    let (x, y) = (width - 1, height / 2)
    let place = (y * width + x) * 3
    #expect(
      Array(pixels[place..<place + 3]) == [x + y, y, x].map { UInt8(truncatingIfNeeded: $0) })
  }

  @Test func deletesAnImageWhenTheNextOneIsShown() throws {
    var encoder = KittyEncoder(size: TerminalSize(columns: 8, rows: 4), number: 20)
    let picture = try Self.picture(width: 4, height: 4)
    let shown = (0..<3).map { _ in Self.commands(encoder.encode(picture) ?? []) }
    try #require(shown.allSatisfy { !$0.isEmpty })
    #expect(shown.map { $0[0].keys["i"] } == ["20", "21", "20"])
    #expect(shown[0].count == 1)
    for (frame, old) in [(1, "20"), (2, "21")] {
      let last = try #require(shown[frame].last)
      #expect(last.keys["a"] == "d" && last.keys["d"] == "I" && last.keys["i"] == old)
    }
    let all = Self.commands(Array(KittyEncoder.deletion(number: 20).utf8))
    #expect(all.map { $0.keys["i"] } == ["20", "21"] && all.allSatisfy { $0.keys["a"] == "d" })
  }
}
