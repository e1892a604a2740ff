extension CMTime {
  /// The sum; in the finer of both units where neither holds both exactly.
  public static func + (one: CMTime, other: CMTime) -> CMTime {
    guard one.isNumeric, other.isNumeric else { return one.joined(with: other) }
    return one.combined(with: other, +)
  }

  /// The difference; in the finer of both units where neither holds both exactly.
  public static func - (one: CMTime, other: CMTime) -> CMTime {
    guard one.isNumeric, other.isNumeric else { return one.joined(with: other.negated) }
    return one.combined(with: other, -)
  }

  /// Adds another time.
  public static func += (one: inout CMTime, other: CMTime) { one = one + other }

  /// Takes another time away.
  public static func -= (one: inout CMTime, other: CMTime) { one = one - other }

  private func combined(
    with other: CMTime, _ operation: (Int128, Int128) -> Int128
  ) -> CMTime {
    let (mine, others) = (Int128(timescale), Int128(other.timescale))
    let common = mine / greatestCommonDivisor(mine, others) * others
    let unit = CMTimeScale(exactly: common) ?? max(timescale, other.timescale)
    let sum = operation(Int128(value) * (common / mine), Int128(other.value) * (common / others))
    return CMTime(
      numerator: sum * Int128(unit), denominator: common, timescale: unit, epoch: epoch,
      wasRounded: hasBeenRounded || other.hasBeenRounded)
  }

  /// The sum where one of both is no number.
  private func joined(with other: CMTime) -> CMTime {
    guard isValid, other.isValid else { return .invalid }
    if isIndefinite || other.isIndefinite { return .indefinite }
    if isNumeric { return other }
    if other.isNumeric { return self }
    return isPositiveInfinity == other.isPositiveInfinity ? self : .indefinite
  }

  private var negated: CMTime {
    if isPositiveInfinity { return .negativeInfinity }
    return isNegativeInfinity ? .positiveInfinity : self
  }
}

private func greatestCommonDivisor(_ one: Int128, _ other: Int128) -> Int128 {
  var (a, b) = (one.magnitude, other.magnitude)
  while b != 0 { (a, b) = (b, a % b) }
  return max(Int128(a), 1)
}

// MARK: - Comparable

extension CMTime: Comparable {
  /// Whether both are the same moment, whatever their units.
  public static func == (one: CMTime, other: CMTime) -> Bool { one.order(to: other) == 0 }

  /// Whether one is earlier: negative infinity, numbers, positive infinity, indefinite, invalid.
  public static func < (one: CMTime, other: CMTime) -> Bool { one.order(to: other) < 0 }

  /// -1 where it is earlier, 0 where it is the same moment, 1 where it is later.
  func order(to other: CMTime) -> Int32 {
    guard isNumeric, other.isNumeric else {
      return rank == other.rank ? 0 : rank < other.rank ? -1 : 1
    }
    guard epoch == other.epoch else { return epoch < other.epoch ? -1 : 1 }
    let mine = Int128(value) * Int128(other.timescale)
    let others = Int128(other.value) * Int128(timescale)
    return mine == others ? 0 : mine < others ? -1 : 1
  }

  private var rank: Int {
    if isNumeric { return 1 }
    if isNegativeInfinity { return 0 }
    if isPositiveInfinity { return 2 }
    return isIndefinite ? 3 : 4
  }
}

extension CMTime: Hashable {
  /// Hashes the moment: the same for the same one in other units.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    guard isNumeric else { return }
    let divisor = greatestCommonDivisor(Int128(value), Int128(timescale))
    hasher.combine(Int128(value) / divisor)
    hasher.combine(Int128(timescale) / divisor)
    hasher.combine(epoch)
  }
}

// MARK: - Core Media's functions

/// A fraction of seconds.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
  CMTime(value: value, timescale: timescale)
}

/// The time that is nearest to a number of seconds.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
  CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// The time in seconds.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

/// The sum of two times.
public func CMTimeAdd(_ one: CMTime, _ other: CMTime) -> CMTime { one + other }

/// The difference of two times.
public func CMTimeSubtract(_ one: CMTime, _ other: CMTime) -> CMTime { one - other }

/// -1 where the first is earlier, 0 where both are the same moment, 1 where it is later.
public func CMTimeCompare(_ one: CMTime, _ other: CMTime) -> Int32 { one.order(to: other) }

/// The same time in other units, rounded to the nearest.
public func CMTimeConvertScale(_ time: CMTime, timescale: Int32) -> CMTime {
  time.convertScale(timescale)
}
