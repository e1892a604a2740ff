/// Finds out which of a driver's stamps can be believed.
///
/// Drivers have been seen to stamp with zero, with -1, with another clock than they say and
/// backwards. What a frame's time is used for (is this picture newer than the request?) must
/// not be decided by such a stamp.
struct StampCheck {
  private var lastStamp: UInt64 = 0
  private var last: (sequence: UInt32, stamp: UInt64?)?

  /// How long a frame may have waited in the queue: longer ago is another clock.
  static let oldest: UInt64 = 60_000_000_000
  /// How far in the future an end of frame may be: drivers have been seen (vivid is one) that
  /// deliver a frame at its beginning and stamp it with its end.
  static let furthest: UInt64 = 2_000_000_000

  /// - Parameters:
  ///   - timestamp: The driver's stamp.
  ///   - sequence: The driver's number of the frame.
  ///   - now: CLOCK_MONOTONIC in nanoseconds.
  /// - Returns: The stamp, if it is one of CLOCK_MONOTONIC, and whether the frame is the
  ///   previous one again.
  mutating func check(
    _ timestamp: BufferTimestamp, sequence: UInt32, now: UInt64
  ) -> (nanoseconds: UInt64?, isRepeated: Bool) {
    let isRepeated =
      last.map { $0.sequence == sequence && $0.stamp != nil && $0.stamp == timestamp.nanoseconds }
      ?? false
    last = (sequence, timestamp.nanoseconds)
    guard timestamp.clock == .monotonic, let stamp = timestamp.nanoseconds else {
      return (nil, isRepeated)
    }
    // An exposure cannot have begun after now. A frame that is here has ended by now.
    if stamp > now, timestamp.source == .startOfExposure || stamp - now > Self.furthest {
      return (nil, isRepeated)
    }
    let time = min(stamp, now)
    guard time >= lastStamp, now - time <= Self.oldest else { return (nil, isRepeated) }
    lastStamp = time
    return (time, isRepeated)
  }
}
