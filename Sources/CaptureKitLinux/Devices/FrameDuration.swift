/// The time from one frame to the next, as a fraction of seconds: 1001/30000 is exactly that.
public struct FrameDuration: Hashable, Sendable {
  /// Seconds are `numerator / denominator`.
  public let numerator: UInt32
  /// Seconds are `numerator / denominator`; never zero.
  public let denominator: UInt32

  /// Names a duration in lowest terms; nil where a part is zero.
  public init?(numerator: UInt32, denominator: UInt32) {
    guard numerator > 0, denominator > 0 else { return nil }
    var (a, b) = (numerator, denominator)
    while b != 0 { (a, b) = (b, a % b) }
    self.numerator = numerator / a
    self.denominator = denominator / a
  }

  private init(framesPerSecond: UInt32) {
    numerator = 1
    denominator = framesPerSecond
  }

  /// The duration at a whole number of frames per second; nil for zero.
  public static func framesPerSecond(_ rate: UInt32) -> FrameDuration? {
    rate == 0 ? nil : FrameDuration(framesPerSecond: rate)
  }

  /// A thirtieth of a second.
  public static let thirtieth = FrameDuration(framesPerSecond: 30)

  /// The duration, to the nanosecond.
  public var duration: Duration {
    .nanoseconds(Int64(numerator) * 1_000_000_000 / Int64(denominator))
  }

  /// The duration in seconds, for reckoning; compare durations, not this.
  var seconds: Double { Double(numerator) / Double(denominator) }

  /// The frames per second, for showing; compare durations, not this.
  public var framesPerSecond: Double { Double(denominator) / Double(numerator) }
}

// MARK: - Comparable

extension FrameDuration: Comparable {
  /// Compares exactly, without rounding.
  public static func < (shorter: FrameDuration, longer: FrameDuration) -> Bool {
    UInt64(shorter.numerator) * UInt64(longer.denominator)
      < UInt64(longer.numerator) * UInt64(shorter.denominator)
  }
}

// MARK: - CustomStringConvertible

extension FrameDuration: CustomStringConvertible {
  /// Seconds as a fraction, `1/30 s`.
  public var description: String { "\(numerator)/\(denominator) s" }
}
