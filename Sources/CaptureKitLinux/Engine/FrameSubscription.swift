import Dispatch
import Synchronization

/// One loop over frames: keeps the newest until it is asked for.
final class FrameSubscription<Frame: FrameOnItsWay & Sendable>: Sendable
where Frame.Source: Sendable {
  private typealias Waiter = CheckedContinuation<Frame?, Never>

  private struct State: Sendable {
    var backlog = FrameBacklog<Frame>()
    var waiter: Waiter?
    var isPreparing = false
    var isOver = false

    /// Takes whoever waits, and what is for them.
    mutating func advance() -> Action? {
      guard !isPreparing, waiter != nil else { return nil }
      guard let frame = backlog.takeFrame() else {
        return isOver ? takeWaiter().map { .resume($0, nil) } : nil
      }
      if frame.needsWork {
        isPreparing = true
        return .prepare(frame)
      }
      return takeWaiter().map { .resume($0, frame) }
    }

    mutating func takeWaiter() -> Waiter? {
      defer { waiter = nil }
      return waiter
    }
  }

  private enum Action: Sendable {
    case prepare(Frame)
    case resume(Waiter, Frame?)
  }

  private let state = Mutex(State())
  private let conversions: DispatchQueue
  private let convert: @Sendable (Frame) -> PreparedFrame<Frame>

  /// - Parameters:
  ///   - discardsLate: Whether the newest frame takes the place of one that still waits.
  ///   - conversions: Where frames are converted.
  ///   - convert: Converts a frame.
  init(
    discardsLate: Bool, convertingOn conversions: DispatchQueue,
    _ convert: @escaping @Sendable (Frame) -> PreparedFrame<Frame>
  ) {
    self.conversions = conversions
    self.convert = convert
    state.withLock { $0.backlog.discardsLate = discardsLate }
  }

  func setDiscardsLate(_ discardsLate: Bool) {
    state.withLock { $0.backlog.discardsLate = discardsLate }
  }

  /// Takes a frame; on the camera's thread.
  ///
  /// - Returns: What was dropped for it, or instead of it.
  func receive(_ frame: Frame) -> [FrameDrop<Frame.Source>] {
    var drops: [FrameDrop<Frame.Source>] = []
    change { state in
      drops = state.backlog.put(frame)
      return state.advance()
    }
    return drops
  }

  /// No frames follow.
  func end() {
    change { state in
      state.isOver = true
      return state.advance()
    }
  }

  /// The next frame; nil at the end, and where the task is cancelled.
  func next() async -> Frame? {
    let frame: Frame? = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: Waiter) in
        // Two loops over one iterator: the earlier one ends.
        let earlier = state.withLock { state in
          defer { state.waiter = continuation }
          return state.waiter
        }
        earlier?.resume(returning: nil)
        if Task.isCancelled { cancel() }
        change { $0.advance() }
      }
    } onCancel: {
      cancel()
    }
    // A continuation that is resumed before its task sleeps orders nothing that the thread
    // sanitizer sees; the lock, which whoever made the frame has held since, does.
    state.withLock { _ in }
    return frame
  }

  private func cancel() {
    state.withLock { $0.takeWaiter() }?.resume(returning: nil)
  }

  private func change(_ body: (inout State) -> Action?) {
    switch state.withLock({ body(&$0) }) {
    case .prepare(let frame):
      conversions.async { [self] in finish(convert(frame).letter) }
    case .resume(let waiter, let frame): waiter.resume(returning: frame)
    case nil: break
    }
  }

  private func finish(_ letter: FrameLetter<Frame>) {
    change { state in
      state.isPreparing = false
      if case .frame(let frame) = letter, let waiter = state.takeWaiter() {
        return .resume(waiter, frame)
      }
      return state.advance()
    }
  }
}

extension FrameSubscription<ReceivedFrame> {
  /// A loop over frames that a workshop converts.
  convenience init(workshop: FrameWorkshop, discardsLate: Bool) {
    let allowance = FrameWorkshop.makeAllowance()
    self.init(discardsLate: discardsLate, convertingOn: workshop.queue) { frame in
      PreparedFrame(letter: workshop.letter(for: frame, within: allowance))
    }
  }
}
