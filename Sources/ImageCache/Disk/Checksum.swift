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
  init?(_ text: [UInt8]) {
    guard (39...57).contains(text.count), text.starts(with: Self.prefix),
      text[37] == UInt8(ascii: ":"), let high = Self.number(text[5..<21], radix: 16),
      let low = Self.number(text[21..<37], radix: 16),
      let byteCount = Self.number(text[38...], radix: 10)
    else { return nil }
    (self.high, self.low) = (high, low)
    self.byteCount = Int(clamping: byteCount)
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

  /// At most 19 digits, or 16 where the radix is 16.
  private static func number(_ digits: ArraySlice<UInt8>, radix: UInt64) -> UInt64? {
    var number: UInt64 = 0
    for digit in digits {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      default: return nil
      }
      guard value < radix else { return nil }
      number = number &* radix &+ UInt64(value)
    }
    return number
  }
}
