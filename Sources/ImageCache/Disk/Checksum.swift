import LinuxSystem

/// What tells a whole file from a damaged one: its hash and its size.
///
/// In an extended attribute it is text that a person can check: `xxh3:`, the 32 digits that the
/// program `xxh128sum` prints for the file, a colon, and the size.
struct Checksum: Hashable, Sendable {
  static let attribute = "user.capturekit.checksum"

  private let high: UInt64
  private let low: UInt64
  private let byteCount: Int

  init(of bytes: RawSpan) {
    (high, low) = LibXXHashBridge.hash(bytes)
    byteCount = bytes.byteCount
  }

  /// - Parameter text: What ``text`` gave; nil for anything else.
  init?(_ text: some Collection<UInt8>) {
    let text = Array(text)
    guard text.count > 38, text.starts(with: Self.prefix), text[37] == UInt8(ascii: ":"),
      let high = Self.number(text[5..<21]), let low = Self.number(text[21..<37]),
      let byteCount = Int(String(decoding: text[38...], as: UTF8.self))
    else { return nil }
    (self.high, self.low, self.byteCount) = (high, low, byteCount)
  }

  var text: [UInt8] {
    var text = Self.prefix
    text.reserveCapacity(56)
    for half in [high, low] {
      for shift in stride(from: 60, through: 0, by: -4) {
        let digit = UInt8(truncatingIfNeeded: half >> UInt64(shift)) & 15
        text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
    text.append(UInt8(ascii: ":"))
    text.append(contentsOf: String(byteCount).utf8)
    return text
  }

  private static let prefix = Array("xxh3:".utf8)

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
