/// The unit in which a stream counts its times: a fraction of a second.
struct MovieTimeBase: Hashable, Sendable {
  let numerator: Int64
  let denominator: Int64

  private static let attosecondsPerSecond: Int128 = 1_000_000_000_000_000_000

  /// Takes a file's numbers; nil unless they are a fraction above 0.
  init?(numerator: Int, denominator: Int) {
    let known = 1...Int(Int32.max)
    guard known.contains(numerator), known.contains(denominator) else { return nil }
    self.numerator = Int64(numerator)
    self.denominator = Int64(denominator)
  }

  /// A number of units as a duration: the least that is not shorter, so that the way back leads to
  /// the same number.
  func duration(ofTicks ticks: Int64) -> Duration {
    let whole = Int128(ticks) * Int128(numerator)
    var (seconds, rest) = whole.quotientAndRemainder(dividingBy: Int128(denominator))
    if rest < 0 {
      seconds -= 1
      rest += Int128(denominator)
    }
    let attoseconds =
      (rest * Self.attosecondsPerSecond + Int128(denominator) - 1) / Int128(denominator)
    return Duration(secondsComponent: Int64(clamping: seconds), attosecondsComponent: 0)
      + Duration(secondsComponent: 0, attosecondsComponent: Int64(attoseconds))
  }

  /// How many whole units there are in a duration; the nearest number where that has none.
  func ticks(in duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    let whole = Int128(seconds) * Int128(denominator)
    let (count, rest) = whole.quotientAndRemainder(dividingBy: Int128(numerator))
    let more = rest * Self.attosecondsPerSecond + Int128(attoseconds) * Int128(denominator)
    let unit = Int128(numerator) * Self.attosecondsPerSecond
    var (further, left) = more.quotientAndRemainder(dividingBy: unit)
    if left < 0 {
      further -= 1
      left += unit
    }
    return Int64(clamping: count + further)
  }
}
