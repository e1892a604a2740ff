import CaptureKitLinux

/// What has come of a stretch of a stream.
struct StreamFigures {
  /// Frames that came.
  private(set) var frameCount: UInt64 = 0
  private var intervalCount: UInt64 = 0
  /// When the frame before the stretch was taken, else its first.
  private var start: HostTime?
  /// When the last frame was taken.
  private(set) var end: HostTime?
  private var drops: [FrameDropReason: UInt64] = [:]
  private var latency = LatencyHistogram()

  /// Begins a stretch after a frame that was taken before it; nil at the start of the stream.
  init(after start: HostTime? = nil) {
    self.start = start
    end = start
  }

  mutating func add(_ frame: CapturedFrame, deliveredAt now: HostTime) {
    frameCount += 1
    if start == nil { start = frame.presentationTime } else { intervalCount += 1 }
    end = frame.presentationTime
    latency.add(frame.presentationTime.duration(to: now))
  }

  mutating func add(_ dropped: DroppedFrame) {
    drops[dropped.reason, default: 0] += dropped.count
  }

  /// Frames per second that came, by the times when they were taken.
  var rate: Double {
    guard let start, let end, start < end else { return 0 }
    return Double(intervalCount) / (start.duration(to: end) / .seconds(1))
  }

  /// `0 dropped`, or `3 dropped (2 late, 1 corrupt)`.
  var dropped: String {
    let total = drops.values.reduce(0, +)
    let reasons = drops.sorted { ($1.value, "\($0.key)") < ($0.value, "\($1.key)") }
      .map { "\($0.value) \($0.key)" }
    return total == 0 ? "0 dropped" : "\(total) dropped (\(reasons.joined(separator: ", ")))"
  }

  /// From when a frame was taken to its delivery.
  var delay: String {
    guard let median = latency.median else { return "no frame" }
    return "latency \(median.milliseconds) ms median, \(latency.maximum.milliseconds) max"
  }
}

extension Duration {
  /// With one decimal.
  fileprivate var milliseconds: String {
    let tenths = Int((self / .microseconds(100)).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
