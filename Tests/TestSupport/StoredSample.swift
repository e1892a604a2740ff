package import Foundation

/// Bytes of pictures of which everybody can say whether they are whole, and whose they are.
package enum StoredSample {
  /// Keys of every kind: short, long, with both cases, of other letters, for which no attribute
  /// has room.
  package static let keys =
    (0..<24).map { "key \($0)" }
    + ["Key 1", "../up", "", "é"] + [100, 700].map { String(repeating: "long", count: $0) }

  /// The beginning of a JPEG, the version, which is 0 to 63, and bytes that follow from both: 1 to
  /// 96 KiB, the more the larger the version is.
  package static func bytes(key: String, version: UInt64) -> Data {
    var generator = Generator(state: version &+ key.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
    var words: [UInt64] = [0xE0FF_D8FF, version]
    for _ in 0..<Int(128 + version * 192) { words.append(generator.next()) }
    return words.withUnsafeBytes { Data($0) }
  }

  package static func isWhole(_ bytes: Data, key: String) -> Bool {
    guard bytes.count >= 16 else { return false }
    let version = bytes.dropFirst(8).prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return version < 64 && bytes == Self.bytes(key: key, version: version)
  }

  /// SplitMix64: the same numbers in each process.
  package struct Generator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(state: UInt64) { self.state = state }

    package mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
      return z ^ z >> 31
    }

    package mutating func below(_ limit: Int) -> Int { Int(next() >> 1) % limit }
  }
}
