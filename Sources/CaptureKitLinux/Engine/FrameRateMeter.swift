/// The rate at which frames were delivered lately; pure.
struct FrameRateMeter: Sendable {
  /// What came longer ago does not count, unless the camera is slower still.
  static let window = Duration.seconds(2)
  private static let capacity = 64

  /// Nanoseconds of the latest pickups, as a ring.
  private var times = InlineArray<64, Int64>(repeating: 0)
  private var count = 0

  /// A frame was delivered.
  mutating func note(_ now: HostTime) {
    times[count % Self.capacity] = now.nanoseconds
    count += 1
  }

  /// The moment of the latest frame; nil where there was none.
  var last: HostTime? { count > 0 ? time(back: 0) : nil }

  /// Frames per second up to a moment; nil where nothing can be said yet.
  func rate(at now: HostTime) -> Double? {
    let known = min(count, Self.capacity)
    guard known >= 2 else { return nil }
    let last = time(back: 0)
    var first = time(back: 1)
    var intervals = 1
    while intervals + 1 < known {
      let earlier = time(back: intervals + 1)
      guard earlier.duration(to: now) <= Self.window else { break }
      first = earlier
      intervals += 1
    }
    let span = first.duration(to: last)
    let silence = last.duration(to: now)
    // While frames come, the time since the last one says nothing; a pause does.
    let time = silence * intervals > span * 2 ? first.duration(to: now) : span
    return time > .zero ? Double(intervals) / time.inSeconds : nil
  }

  private func time(back offset: Int) -> HostTime {
    HostTime(nanoseconds: times[(count - 1 - offset) % Self.capacity])
  }
}

extension Duration {
  /// Seconds, for what is measured.
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
