import Dispatch
import Synchronization

/// What has become of a frame that had to be converted, and what was dropped on the way.
struct PreparedFrame<Frame: FrameOnItsWay> {
  let letter: FrameLetter<Frame>
  var drops: [FrameDrop<Frame.Source>] = []
}

/// Calls one consumer with frames and drops, one after the other, on its queue.
final class FrameDelivery<Frame: FrameOnItsWay & Sendable>: Sendable where Frame.Source: Sendable {
  typealias Letter = FrameLetter<Frame>

  /// Who is called, and where.
  struct Consumer: Sendable {
    let queue: DispatchQueue
    /// Whether frames may be converted on the queue: nobody else waits for it.
    let isOwnQueue: Bool
    let receive: @Sendable (Letter) -> Void
  }

  private struct State: Sendable {
    var machine = FrameDeliveryMachine<Frame>()
    var consumer: Consumer?
  }

  private let state = Mutex(State())
  private let conversions: DispatchQueue
  private let convert: @Sendable (Frame) -> PreparedFrame<Frame>

  /// - Parameters:
  ///   - conversions: Where frames are converted, if not on the consumer's own queue.
  ///   - convert: Converts a frame, away from the camera's thread.
  init(
    convertingOn conversions: DispatchQueue,
    _ convert: @escaping @Sendable (Frame) -> PreparedFrame<Frame>
  ) {
    self.conversions = conversions
    self.convert = convert
  }

  /// Replaces the consumer at once: each frame goes to the old one or the new one, and the new one
  /// is called when the old one has returned.
  func setConsumer(_ consumer: Consumer?) {
    // Let go of after unlocking: what an old consumer holds may call the output as it goes.
    var old: (Consumer?, FrameBacklog<Frame>)?
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
  func receive(_ frame: Frame) -> [FrameDrop<Frame.Source>] {
    var drops: [FrameDrop<Frame.Source>] = []
    change { state in
      guard state.consumer != nil else { return nil }
      drops = state.machine.backlog.put(frame)
      return state.machine.advance()
    }
    return drops
  }

  /// Takes a notice; on the camera's thread.
  func receive(_ drop: DroppedFrame, from source: Frame.Source) {
    change { state in
      guard state.consumer != nil else { return nil }
      state.machine.backlog.put(drop, from: source)
      return state.machine.advance()
    }
  }

  private func change(_ body: (inout State) -> FrameDeliveryMachine<Frame>.Action?) {
    let (action, consumer) = state.withLock { state in (body(&state), state.consumer) }
    switch action {
    case .prepare(let frame, let id):
      let queue = consumer.flatMap { $0.isOwnQueue ? $0.queue : nil } ?? conversions
      queue.async { [self] in prepare(frame, as: id, on: queue) }
    case .call(let id): consumer?.queue.async { [self] in answer(id) }
    case nil: break
    }
  }

  private func prepare(_ frame: Frame, as id: UInt64, on queue: DispatchQueue) {
    let prepared = convert(frame)
    var call: UInt64?
    change { state in
      if state.consumer != nil {
        for drop in prepared.drops { state.machine.backlog.put(drop.drop, from: drop.source) }
      }
      let action = state.machine.prepared(prepared.letter, as: id)
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

extension FrameDelivery<ReceivedFrame> {
  /// Calls with frames that a workshop converts.
  convenience init(workshop: FrameWorkshop) {
    let allowance = FrameWorkshop.makeAllowance()
    self.init(convertingOn: workshop.queue) { frame in
      PreparedFrame(letter: workshop.letter(for: frame, within: allowance))
    }
  }
}
