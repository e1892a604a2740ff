/// Apple's name of a time's numerator.
public typealias CMTimeValue = Int64
/// Apple's name of a time's denominator.
public typealias CMTimeScale = Int32
/// Apple's name of what tells timelines apart.
public typealias CMTimeEpoch = Int64

/// What a ``CMTime`` is, besides a number; Core Media's `CMTimeFlags`.
public struct CMTimeFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Takes bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The time is one.
  public static let valid = CMTimeFlags(rawValue: 1)
  /// The number was rounded.
  public static let hasBeenRounded = CMTimeFlags(rawValue: 2)
  /// Later than every number.
  public static let positiveInfinity = CMTimeFlags(rawValue: 4)
  /// Earlier than every number.
  public static let negativeInfinity = CMTimeFlags(rawValue: 8)
  /// Not known.
  public static let indefinite = CMTimeFlags(rawValue: 16)
  /// The flags that stand for something other than a number.
  public static let impliedValueFlagsMask: CMTimeFlags = [
    .positiveInfinity, .negativeInfinity, .indefinite,
  ]
}

/// A time as a fraction of seconds; Core Media's `CMTime`.
///
/// Arithmetic never traps: what a `CMTime` cannot hold becomes an infinity, what it can hold only
/// roughly is flagged as rounded.
public struct CMTime: Sendable {
  /// Seconds are `value / timescale`.
  public var value: CMTimeValue
  /// Units in a second.
  public var timescale: CMTimeScale
  /// Whether it is a number.
  public var flags: CMTimeFlags
  /// Always 0 for what this library makes.
  public var epoch: CMTimeEpoch

  /// Names all parts.
  public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
    self.epoch = epoch
  }

  /// The invalid time.
  public init() {
    self.init(value: 0, timescale: 0, flags: [], epoch: 0)
  }

  /// A fraction of seconds; invalid where the timescale is not positive.
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
  }

  /// The time that is nearest to a number of seconds.
  ///
  /// - Parameters:
  ///   - seconds: The seconds; infinities become infinities, what is no number becomes invalid.
  ///   - preferredTimescale: Units in a second; invalid where it is not positive.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    guard !seconds.isNaN, preferredTimescale > 0 else {
      self.init()
      return
    }
    let units = (seconds * Double(preferredTimescale)).rounded()
    guard let value = Int64(exactly: units) else {
      self = seconds > 0 ? .positiveInfinity : .negativeInfinity
      return
    }
    self.init(value: value, timescale: preferredTimescale)
    if self.seconds != seconds { flags.insert(.hasBeenRounded) }
  }

  /// No time at all.
  public static let zero = CMTime(value: 0, timescale: 1)
  /// Not a time.
  public static let invalid = CMTime()
  /// A time that is not known.
  public static let indefinite = CMTime(
    value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  /// Later than every number.
  public static let positiveInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  /// Earlier than every number.
  public static let negativeInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
}

// MARK: - What it is

extension CMTime {
  /// Whether it is a time.
  public var isValid: Bool { flags.contains(.valid) }
  /// Whether it is a number.
  public var isNumeric: Bool {
    isValid && timescale > 0 && flags.isDisjoint(with: .impliedValueFlagsMask)
  }
  /// Whether it is later than every number.
  public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
  /// Whether it is earlier than every number.
  public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
  /// Whether it is a time that is not known.
  public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
  /// Whether its number was rounded.
  public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

  /// The time in seconds; not a number where it is invalid or not known.
  public var seconds: Double {
    if isNumeric { return Double(value) / Double(timescale) }
    if isPositiveInfinity { return .infinity }
    return isNegativeInfinity ? -.infinity : .nan
  }

  /// The same time in other units, rounded to the nearest, halves away from zero.
  ///
  /// - Parameter newTimescale: Units in a second; invalid where it is not positive.
  /// - Returns: The time; one that is no number stays what it is.
  public func convertScale(_ newTimescale: CMTimeScale) -> CMTime {
    guard isNumeric else { return self }
    guard newTimescale > 0 else { return .invalid }
    return CMTime(
      numerator: Int128(value) * Int128(newTimescale), denominator: Int128(timescale),
      timescale: newTimescale, epoch: epoch, wasRounded: hasBeenRounded)
  }

  /// `numerator / denominator` units; an infinity where the number is too large.
  init(
    numerator: Int128, denominator: Int128, timescale: CMTimeScale, epoch: CMTimeEpoch,
    wasRounded: Bool
  ) {
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    let away: Int128 = remainder.magnitude * 2 >= denominator.magnitude ? numerator.signum() : 0
    guard let value = Int64(exactly: remainder == 0 ? quotient : quotient + away) else {
      self = numerator > 0 ? .positiveInfinity : .negativeInfinity
      return
    }
    self.init(value: value, timescale: timescale, flags: .valid, epoch: epoch)
    if remainder != 0 || wasRounded { flags.insert(.hasBeenRounded) }
  }
}
