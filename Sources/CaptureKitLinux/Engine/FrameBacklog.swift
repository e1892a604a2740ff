/// A frame on its way to a consumer, with what the way depends on.
protocol FrameOnItsWay {
  associatedtype Source: AnyObject
  /// Where it comes from: newer frames take the place of older ones of the same source only.
  var source: Source { get }
  var presentationTime: HostTime { get }
  /// Whether it has to be converted before it is delivered.
  var needsWork: Bool { get }
}

/// Something for a consumer.
enum FrameLetter<Frame: FrameOnItsWay> {
  case frame(Frame)
  case dropped(DroppedFrame, from: Frame.Source)
}

extension FrameLetter: Sendable where Frame: Sendable, Frame.Source: Sendable {}

// MARK: - The backlog

/// What waits for a consumer that is busy, in order; bounded, pure.
struct FrameBacklog<Frame: FrameOnItsWay> {
  /// Whether the newest frame of a source takes the place of one that still waits.
  var discardsLate = true
  private var letters: [FrameLetter<Frame>] = []

  /// Frames that wait keep the driver's buffers: few enough to leave it some, and photos too.
  static var frameLimit: Int { 4 }
  /// Beyond it drops of one kind are told together.
  static var noticeLimit: Int { 64 }

  /// The oldest letter.
  var first: FrameLetter<Frame>? { letters.first }

  /// Takes a frame.
  ///
  /// - Returns: What was dropped for it, or instead of it; nil where nothing was.
  mutating func put(_ frame: Frame) -> DroppedFrame? {
    var dropped: DroppedFrame?
    if discardsLate {
      // Several where late frames were kept until now.
      while let late = takeWaitingFrame(of: frame.source) {
        put(DroppedFrame(.late, at: late.presentationTime), from: late.source)
        dropped = DroppedFrame(
          .late, count: (dropped?.count ?? 0) + 1, at: late.presentationTime)
      }
    } else if waitingFrameCount >= Self.frameLimit {
      let drop = DroppedFrame(.outOfBuffers, at: frame.presentationTime)
      put(drop, from: frame.source)
      return drop
    }
    letters.append(.frame(frame))
    return dropped
  }

  /// Takes a notice.
  mutating func put(_ drop: DroppedFrame, from source: Frame.Source) {
    guard letters.count >= Self.noticeLimit,
      let (index, earlier) = lastNotice(of: drop.reason, from: source)
    else { return letters.append(.dropped(drop, from: source)) }
    let both = DroppedFrame(
      drop.reason, count: earlier.count &+ drop.count,
      at: drop.presentationTime ?? earlier.presentationTime)
    letters[index] = .dropped(both, from: source)
  }

  /// Hands out the oldest letter.
  mutating func take() -> FrameLetter<Frame>? { letters.isEmpty ? nil : letters.removeFirst() }

  /// Hands out the oldest frame; notices before it are left out.
  mutating func takeFrame() -> Frame? {
    while let letter = take() {
      if case .frame(let frame) = letter { return frame }
    }
    return nil
  }

  mutating func removeAll() { letters = [] }

  private var waitingFrameCount: Int {
    letters.count { if case .frame = $0 { true } else { false } }
  }

  private mutating func takeWaitingFrame(of source: Frame.Source) -> Frame? {
    for (index, letter) in letters.enumerated() {
      if case .frame(let frame) = letter, frame.source === source {
        letters.remove(at: index)
        return frame
      }
    }
    return nil
  }

  private func lastNotice(
    of reason: FrameDropReason, from source: Frame.Source
  ) -> (index: Int, drop: DroppedFrame)? {
    for (index, letter) in letters.enumerated().reversed() {
      if case .dropped(let drop, let other) = letter, drop.reason == reason, other === source {
        return (index, drop)
      }
    }
    return nil
  }
}

extension FrameBacklog: Sendable where Frame: Sendable, Frame.Source: Sendable {}
