import Foundation
import Testing

@testable import lootlogger

@Suite(.timeLimit(.minutes(1)))
struct MotionJPEGTests {
  private static let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2]
  private static let tables: [UInt8] = [0xFF, 0xC4, 0, 3, 0]
  private static let scan: [UInt8] = [0xFF, 0xDA, 0, 2, 9, 8, 7, 0xFF, 0xD9]

  /// Its span cannot pass through a macro.
  private func part(of bytes: [UInt8]) -> MotionJPEG.Part? {
    MotionJPEG.part(of: Data(bytes).bytes)
  }

  private func head(_ part: MotionJPEG.Part) -> String {
    String(decoding: part.head, as: UTF8.self)
  }

  @Test func sendsAWholeFrameAsItIs() throws {
    let frame = Self.start + Self.tables + Self.scan
    let part = try #require(self.part(of: frame))

    #expect(part.bodyOffset == 0)
    #expect(head(part) == "Content-Type: image/jpeg\r\nContent-Length: \(frame.count)\r\n\r\n")
  }

  @Test func putsMissingTablesBeforeTheScan() throws {
    let frame = Self.start + Self.scan
    let part = try #require(self.part(of: frame))
    let sent = part.head + frame[part.bodyOffset...]
    let headers = try #require(sent.firstRange(of: Array("\r\n\r\n".utf8)))
    let picture = sent[headers.upperBound...]

    #expect(head(part).contains("Content-Length: \(frame.count + 420)\r\n"))
    #expect(Array(picture) == Self.start + HuffmanSegment.standard + Self.scan)
    #expect(HuffmanSegment.standard.count == 420)
  }

  @Test(
    arguments: [
      [], [0xFF], [0xFF, 0xD8], start, start + [0xFF], start + [0xFF, 0xC0, 0],
      start + [0xFF, 0xC0, 0xFF, 0xFF], start + [0xFF, 0xC0, 0, 1], [0xFF, 0xD9] + scan,
      start + [0, 0] + scan, start + [0xFF, 0xFF, 0xFF, 0xFF],
    ] as [[UInt8]])
  func leavesOutWhatIsNoFrame(_ bytes: [UInt8]) {
    #expect(part(of: bytes) == nil)
  }

  @Test func passesFillBytes() throws {
    let frame = Self.start + [0xFF, 0xFF] + Self.tables + Self.scan

    #expect(try #require(part(of: frame)).bodyOffset == 0)
  }
}
