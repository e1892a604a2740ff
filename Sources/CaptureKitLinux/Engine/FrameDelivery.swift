import Dispatch
import Synchronization

/// Calls one consumer with frames and drops, one after the other, on its queue.
final class FrameDelivery: Sendable {
  typealias Letter = FrameLetter<ReceivedFrame>

  /// Who is called, and where.
  struct Consumer: Sendable {
    let queue: DispatchQueue
    /// Whether frames may be converted on the queue: nobody else waits for it.
    let isOwnQueue: Bool
    let receive: @Sendable (Letter) -> Void
  }

  private struct State: Sendable {
    var machine = FrameDeliveryMachine<ReceivedFrame>()
    var consumer: Consumer?
  }

  private let state = Mutex(State())
  private let workshop: FrameWorkshop
  private let allowance = FrameWorkshop.makeAllowance()

  init(workshop: FrameWorkshop) {
    self.workshop = workshop
  }

  /// Replaces the consumer at once: each frame goes to the old one or the new one, and the new one
  /// is called when the old one has returned.
  func setConsumer(_ consumer: Consumer?) {
    // Let go of after unlocking: what an old consumer holds may call the output as it goes.
    var old: (Consumer?, FrameBacklog<ReceivedFrame>)?
    defer { withExtendedLifetime(old) {} }
    change { state in
      old = (state.consumer, state.machine.backlog)
      state.consumer = consumer
      guard consumer != nil else {
        state.machine.clear()
        return nil
      }
      return state.machine.redirect()
    }
  }

  func setDiscardsLate(_ discardsLate: Bool) {
    state.withLock { $0.machine.backlog.discardsLate = discardsLate }
  }

  /// Takes a frame; on the camera's thread.
  ///
  /// - Returns: What was dropped for it, or instead of it.
  func receive(_ frame: ReceivedFrame) -> DroppedFrame? {
    var drop: DroppedFrame?
    change { state in
      guard state.consumer != nil else { return nil }
      drop = state.machine.backlog.put(frame)
      return state.machine.advance()
    }
    return drop
  }

  /// Takes a notice; on the camera's thread.
  func receive(_ drop: DroppedFrame, from connection: CaptureConnection) {
    change { state in
      guard state.consumer != nil else { return nil }
      state.machine.backlog.put(drop, from: connection)
      return state.machine.advance()
    }
  }

  private func change(
    _ body: (inout State) -> FrameDeliveryMachine<ReceivedFrame>.Action?
  ) {
    let (action, consumer) = state.withLock { state in (body(&state), state.consumer) }
    switch action {
    case .prepare(let frame, let id):
      let queue = consumer.flatMap { $0.isOwnQueue ? $0.queue : nil } ?? workshop.queue
      queue.async { [self] in prepare(frame, as: id, on: queue) }
    case .call(let id): consumer?.queue.async { [self] in answer(id) }
    case nil: break
    }
  }

  private func prepare(_ frame: ReceivedFrame, as id: UInt64, on queue: DispatchQueue) {
    let letter = workshop.letter(for: frame, within: allowance)
    var call: UInt64?
    change { state in
      let action = state.machine.prepared(letter, as: id)
      // The consumer's queue is this one: it need not be called.
      guard case .call(let id) = action, state.consumer?.queue === queue else { return action }
      call = id
      return nil
    }
    if let call { answer(call) }
  }

  private func answer(_ id: UInt64) {
    let (letter, consumer) = state.withLock { ($0.machine.answer(id), $0.consumer) }
    if let letter {
      consumer?.receive(letter)
    }
    change { state in
      if letter != nil { state.machine.finished() }
      return state.machine.advance()
    }
  }
}
