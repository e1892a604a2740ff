/// The last few frames of a stream, for photos that show the moment of the request; pure.
struct RecentFrames {
  /// How many are kept: one may turn out to be damaged.
  static let capacity = 3
  /// How long before the request a photo may have been taken.
  static let oldest = Duration.milliseconds(500)

  private var frames: [CapturedFrame] = []

  /// Keeps a frame in place of the oldest.
  mutating func add(_ frame: CapturedFrame) {
    if frames.count == Self.capacity { frames.removeFirst() }
    frames.append(frame)
  }

  mutating func removeAll() { frames = [] }

  /// The frames that a photo asked for now may be made of, the newest first.
  func candidates(at now: HostTime) -> [CapturedFrame] {
    frames.reversed().filter { $0.timestamp.time.duration(to: now) <= Self.oldest }
  }
}
