import CVideo4Linux

/// The time from one frame to the next, as a fraction of seconds: 1001/30000 stays what it is.
package struct FrameInterval: Sendable {
  package let numerator: UInt32
  package let denominator: UInt32

  /// Nil for a fraction that is no duration: drivers that do not know it say 0/0 or 0/1.
  package init?(numerator: UInt32, denominator: UInt32) {
    guard numerator > 0, denominator > 0 else { return nil }
    self.numerator = numerator
    self.denominator = denominator
  }

  init?(_ fraction: v4l2_fract) {
    self.init(numerator: fraction.numerator, denominator: fraction.denominator)
  }

  var fraction: v4l2_fract { v4l2_fract(numerator: numerator, denominator: denominator) }

  /// Rounded down; of the longest possible interval, 136 years.
  package var nanoseconds: UInt64 {
    let (product, overflow) = UInt64(numerator).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : product / UInt64(denominator)
  }
}

// MARK: - Comparable

extension FrameInterval: Comparable {
  package static func == (a: FrameInterval, b: FrameInterval) -> Bool {
    UInt64(a.numerator) * UInt64(b.denominator) == UInt64(b.numerator) * UInt64(a.denominator)
  }

  package static func < (a: FrameInterval, b: FrameInterval) -> Bool {
    UInt64(a.numerator) * UInt64(b.denominator) < UInt64(b.numerator) * UInt64(a.denominator)
  }
}

// MARK: - Hashable

extension FrameInterval: Hashable {
  package func hash(into hasher: inout Hasher) {
    // Equal durations are equal, however they are written: 2/60 is 1/30.
    var (a, b) = (numerator, denominator)
    while b != 0 { (a, b) = (b, a % b) }
    hasher.combine(numerator / a)
    hasher.combine(denominator / a)
  }
}

// MARK: - CustomStringConvertible

extension FrameInterval: CustomStringConvertible {
  package var description: String { "\(numerator)/\(denominator) s" }
}
