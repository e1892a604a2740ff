import Dispatch
import Synchronization

/// One loop over an output's frames: keeps the newest until it is asked for.
final class FrameSubscription: Sendable {
  private typealias Waiter = CheckedContinuation<CapturedFrame?, Never>

  private struct State: Sendable {
    var backlog = FrameBacklog<ReceivedFrame>()
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
      return takeWaiter().map { .resume($0, frame.frame) }
    }

    mutating func takeWaiter() -> Waiter? {
      defer { waiter = nil }
      return waiter
    }
  }

  private enum Action: Sendable {
    case prepare(ReceivedFrame)
    case resume(Waiter, CapturedFrame?)
  }

  private let state = Mutex(State())
  private let workshop: FrameWorkshop
  private let allowance = FrameWorkshop.makeAllowance()

  init(workshop: FrameWorkshop, discardsLate: Bool) {
    self.workshop = workshop
    state.withLock { $0.backlog.discardsLate = discardsLate }
  }

  func setDiscardsLate(_ discardsLate: Bool) {
    state.withLock { $0.backlog.discardsLate = discardsLate }
  }

  /// Takes a frame; on the camera's thread.
  ///
  /// - Returns: What was dropped for it, or instead of it.
  func receive(_ frame: ReceivedFrame) -> DroppedFrame? {
    var drop: DroppedFrame?
    change { state in
      drop = state.backlog.put(frame)
      return state.advance()
    }
    return drop
  }

  /// No frames follow.
  func end() {
    change { state in
      state.isOver = true
      return state.advance()
    }
  }

  /// The next frame; nil at the end, and where the task is cancelled.
  func next() async -> CapturedFrame? {
    let frame: CapturedFrame? = await withTaskCancellationHandler {
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
      workshop.queue.async { [self] in finish(workshop.letter(for: frame, within: allowance)) }
    case .resume(let waiter, let frame): waiter.resume(returning: frame)
    case nil: break
    }
  }

  private func finish(_ letter: FrameLetter<ReceivedFrame>) {
    change { state in
      state.isPreparing = false
      if case .frame(let received) = letter, let waiter = state.takeWaiter() {
        return .resume(waiter, received.frame)
      }
      return state.advance()
    }
  }
}
