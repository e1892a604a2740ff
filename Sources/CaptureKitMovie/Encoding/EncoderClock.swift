/// Times for an encoder of a camera's stamps: each later than the one before, as encoders want them,
/// whatever the stamps do; pure.
struct EncoderClock {
  /// A larger step is that of a clock that was set forward.
  private static let largestStep: Int64 = 3_600_000_000
  /// No encoder keeps so many frames back.
  private static let limit = 256

  private var last: (stamp: Int64, time: Int64)?
  /// What went in and has not come out.
  private var stamps: [(time: Int64, stamp: Int64)] = []

  /// The time of a frame that goes in.
  ///
  /// - Parameter stamp: When it was taken, in nanoseconds.
  /// - Returns: Microseconds since the first one.
  mutating func time(of stamp: Int64) -> Int64 {
    let time = last.map { $0.time &+ Self.step(from: $0.stamp, to: stamp) } ?? 0
    last = (stamp, time)
    if stamps.count >= Self.limit { stamps.removeFirst() }
    stamps.append((time, stamp))
    return time
  }

  /// When a frame was taken that has come out; nil where none of this time went in.
  mutating func stamp(at time: Int64) -> Int64? {
    stamps.firstIndex { $0.time == time }.map { stamps.remove(at: $0).stamp }
  }

  private static func step(from last: Int64, to stamp: Int64) -> Int64 {
    let (step, overflow) = stamp.subtractingReportingOverflow(last)
    return overflow ? 1 : min(max(step / 1000, 1), largestStep)
  }
}
