import CaptureKitLinux

/// When the frames of one stream fall due, and which of them wait to be picked up.
struct FrameTimeline: Sendable {
  struct Due: Equatable, Sendable {
    let sequence: UInt64
    /// The arrival of the frame's last byte.
    let time: HostTime
  }

  let duration: Duration
  private(set) var next: Due
  private var waiting: [Due] = []
  private let limit: Int

  /// Starts the count of frames.
  ///
  /// - Parameters:
  ///   - start: The moment when the first frame's exposure begins.
  ///   - duration: The time between frames; at least a millisecond is taken.
  ///   - limit: How many frames may wait.
  init(start: HostTime, duration: Duration, limit: Int) {
    self.duration = max(.milliseconds(1), duration)
    self.limit = limit
    next = Due(sequence: 0, time: start.advanced(by: self.duration))
  }

  /// Takes the oldest frame that has arrived.
  ///
  /// - Parameters:
  ///   - now: This moment.
  ///   - script: What happens to frames on their way.
  /// - Returns: The frame, nil where none has arrived; and how many were lost since the last call.
  mutating func take(now: HostTime, script: inout MockScript) -> (frame: Due?, lost: Int) {
    var lost = 0
    while next.time <= now, limit < .max || waiting.isEmpty {
      if script.takeDrop(at: next.sequence) || waiting.count >= limit {
        lost += 1
      } else {
        waiting.append(next)
      }
      next = Due(
        sequence: next.sequence + 1,
        time: next.time.advanced(by: duration + script.takeStall(afterFrame: next.sequence)))
    }
    return (waiting.isEmpty ? nil : waiting.removeFirst(), lost)
  }
}
