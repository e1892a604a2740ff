import Foundation
import Testing

@testable import CaptureKitMovie

@Suite(.timeLimit(.minutes(1)))
struct InterruptedFileTests {
  private func file(_ bytes: [UInt8]) -> InterruptedFile {
    InterruptedFile(byteCount: bytes.count) { Array(bytes.dropFirst($0).prefix($1)) }
  }

  private func box(_ name: String, _ size: UInt32, content: Int) -> [UInt8] {
    let size = (0..<4).map { UInt8(truncatingIfNeeded: size >> UInt32(24 - 8 * $0)) }
    return size + Array(name.utf8) + [UInt8](repeating: 0, count: content)
  }

  @Test func findsTheFragmentThatIsCutOff() {
    let begin = box("ftyp", 16, content: 8) + box("moof", 12, content: 4)

    #expect(file(begin).brokenFragmentPlace == nil)
    #expect(file(begin + box("moof", 100, content: 20)).brokenFragmentPlace == 28)
    #expect(file(begin + box("mdat", 100, content: 20)).brokenFragmentPlace == nil)
    #expect(file(begin + box("moof", 0, content: 20)).brokenFragmentPlace == nil)
    let long = box("moof", 1, content: 0) + [0, 0, 0, 1, 0, 0, 0, 0]
    #expect(file(begin + long).brokenFragmentPlace == 28)
    let tooLong = box("moof", 1, content: 0) + [UInt8](repeating: 255, count: 8)
    #expect(file(begin + tooLong).brokenFragmentPlace == nil)
    #expect(file([]).brokenFragmentPlace == nil)
  }

  @Test func findsAnIndexOfAVI() {
    func chunk(_ name: String, _ size: UInt8, _ content: Int) -> [UInt8] {
      Array(name.utf8) + [size, 0, 0, 0] + [UInt8](repeating: 0, count: content)
    }
    let begin = chunk("RIFF", 0, 4) + chunk("LIST", 5, 6) + chunk("LIST", 8, 8)

    #expect(file(begin + chunk("idx1", 16, 16)).hasAVIIndex)
    #expect(!file(begin).hasAVIIndex)
    #expect(!file(begin + chunk("JUNK", 200, 16)).hasAVIIndex)
    #expect(!file([]).hasAVIIndex)
    #expect(!file(begin + Array("JUNK".utf8) + [255, 255, 255, 255]).hasAVIIndex)
  }
}
