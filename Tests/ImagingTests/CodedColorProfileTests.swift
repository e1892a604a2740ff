import Foundation
import Testing

@testable import Imaging

/// Profiles made of the numbers by which video files name their colours.
@Suite(.timeLimit(.minutes(1)))
struct CodedColorProfileTests {
  @Test func isDisplayP3ByItsNumbers() throws {
    let profile = try #require(ColorProfile(primaries: 12, transfer: 13))
    #expect(profile.name == "Display P3" && profile.colorSpace == "RGB")
    // As Apple's profile has them.
    let expected: [(String, [Double])] = [
      ("rXYZ", [0.5151, 0.2412, -0.0011]), ("gXYZ", [0.2920, 0.6922, 0.0419]),
      ("bXYZ", [0.1571, 0.0666, 0.7841]),
    ]
    for (tag, values) in expected {
      let place = try #require(profile.place(of: tag)) + 8
      for (index, value) in values.enumerated() {
        let bits = try #require(profile.number(at: place + 4 * index))
        let own = Double(Int32(bitPattern: UInt32(bits))) / 65_536
        #expect(abs(own - value) < 0.0003, "\(tag) \(index): \(own)")
      }
    }
  }

  @Test(arguments: [(1, 13), (2, 2), (6, 6), (12, 16), (9, 18)])
  func isNoneForSRGBAndHighDynamicRange(_ primaries: Int, _ transfer: Int) {
    #expect(ColorProfile(primaries: primaries, transfer: transfer) == nil)
  }
}

extension ColorProfile {
  fileprivate func number(at place: Int) -> Int? { data.bytes.bigEndian32(at: place) }

  fileprivate func place(of tag: String) -> Int? {
    for entry in 0..<20
    where data.dropFirst(132 + 12 * entry).prefix(4).elementsEqual(tag.utf8) {
      return data.bytes.bigEndian32(at: 136 + 12 * entry)
    }
    return nil
  }
}
