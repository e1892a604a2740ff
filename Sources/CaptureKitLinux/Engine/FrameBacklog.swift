/// A frame on its way to a consumer, or several that go together, with what the way depends on.
protocol FrameOnItsWay {
  associatedtype Source: AnyObject
  /// Where it comes from.
  var source: Source { get }
  var presentationTime: HostTime { get }
  /// Whether it has to be converted before it is delivered.
  var needsWork: Bool { get }

  /// Whether it takes the place of an earlier one that still waits: of the same source, unless said
  /// otherwise.
  func replaces(_ earlier: Self) -> Bool

  /// What is told where it is dropped: of several, of each.
  func drops(_ reason: FrameDropReason) -> [FrameDrop<Source>]
}

extension FrameOnItsWay {
  func replaces(_ earlier: Self) -> Bool { source === earlier.source }

  func drops(_ reason: FrameDropReason) -> [FrameDrop<Source>] {
    [FrameDrop(drop: DroppedFrame(reason, at: presentationTime), source: source)]
  }
}

/// What was dropped, and where it came from.
struct FrameDrop<Source: AnyObject> {
  let drop: DroppedFrame
  let source: Source
}

extension FrameDrop: Sendable where Source: Sendable {}

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
  /// - Returns: What was dropped for it, or instead of it.
  mutating func put(_ frame: Frame) -> [FrameDrop<Frame.Source>] {
    var dropped: [FrameDrop<Frame.Source>] = []
    if discardsLate {
      // Several where late frames were kept until now.
      while let late = takeWaitingFrame(replacedBy: frame) { dropped += late.drops(.late) }
    } else if waitingFrameCount >= Self.frameLimit {
      dropped = frame.drops(.outOfBuffers)
      for drop in dropped { put(drop.drop, from: drop.source) }
      return dropped
    }
    for drop in dropped { put(drop.drop, from: drop.source) }
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

  private mutating func takeWaitingFrame(replacedBy newer: Frame) -> Frame? {
    for (index, letter) in letters.enumerated() {
      if case .frame(let frame) = letter, newer.replaces(frame) {
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
