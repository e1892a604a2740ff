/// How many frames had which latency: enough for a median, however long a stream lasts.
struct LatencyHistogram {
  /// Bins of a tenth of a millisecond; what is longer than the last is counted there.
  private var bins = [UInt64](repeating: 0, count: 20_001)
  private var count: UInt64 = 0
  /// The longest; zero where there was none.
  private(set) var maximum = Duration.zero

  mutating func add(_ latency: Duration) {
    let tenths = max(.zero, latency) / .microseconds(100)
    bins[Int(min(tenths, Double(bins.count - 1)))] += 1
    count += 1
    maximum = max(maximum, latency)
  }

  /// The one in the middle, to a tenth of a millisecond; nil where there was none.
  var median: Duration? {
    guard count > 0 else { return nil }
    var rest = (count + 1) / 2
    for (bin, frames) in bins.enumerated() {
      guard frames < rest else { return .microseconds(100 * bin) }
      rest -= frames
    }
    return maximum
  }
}
