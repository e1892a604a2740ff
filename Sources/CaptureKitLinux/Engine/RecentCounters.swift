/// Counters of some seconds ago, so that it can be said what is the matter lately; pure.
struct RecentCounters: Sendable {
  private static let span = Duration.seconds(2)
  private var older: (time: HostTime, counters: CaptureStatistics)?
  private var newer: (time: HostTime, counters: CaptureStatistics)?

  mutating func update(_ counters: CaptureStatistics, at now: HostTime) {
    if let newer, newer.time.duration(to: now) < Self.span { return }
    older = newer
    newer = (now, counters)
  }

  /// What has changed within two to four seconds; all there is where less has passed.
  func change(to counters: CaptureStatistics) -> CaptureStatistics {
    guard let base = older ?? newer else { return counters }
    return counters.since(base.counters)
  }
}
