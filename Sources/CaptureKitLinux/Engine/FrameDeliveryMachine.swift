/// Decides what happens next on the way of frames to one consumer that is called back; pure.
///
/// One letter is under way at a time. A frame that needs no work is chosen when the consumer's
/// queue gets to it, so that it is the newest; one that has to be converted is chosen before.
struct FrameDeliveryMachine<Frame: FrameOnItsWay> {
  typealias Letter = FrameLetter<Frame>

  enum Action {
    /// Convert the frame, then call ``prepared(_:as:)``.
    case prepare(Frame, UInt64)
    /// Have the consumer's queue call ``answer(_:)``.
    case call(UInt64)
  }

  fileprivate enum Phase {
    case idle
    case preparing(UInt64)
    case called
    case ready(Letter)
    case busy
  }

  var backlog = FrameBacklog<Frame>()
  private var phase = Phase.idle
  /// Names the answer that is awaited: earlier ones were asked for on behalf of somebody who is
  /// gone.
  private var awaited: UInt64 = 0

  /// Takes up the next letter where none is under way.
  mutating func advance() -> Action? {
    guard case .idle = phase, let first = backlog.first else { return nil }
    if case .frame(let frame) = first, frame.needsWork {
      _ = backlog.take()
      awaited += 1
      phase = .preparing(awaited)
      return .prepare(frame, awaited)
    }
    phase = .called
    return call()
  }

  /// The frame under way is converted, or could not be.
  mutating func prepared(_ letter: Letter, as id: UInt64) -> Action? {
    guard case .preparing(id) = phase else { return nil }
    phase = .ready(letter)
    return call()
  }

  /// The consumer's queue has come to a call.
  ///
  /// - Returns: What the consumer is to get, then call ``finished()``; nil where the call is void.
  mutating func answer(_ id: UInt64) -> Letter? {
    guard id == awaited else { return nil }
    switch phase {
    case .called: return answerWithNewest()
    case .ready(let letter):
      phase = .busy
      return letter
    case .idle, .preparing, .busy: return nil
    }
  }

  private mutating func answerWithNewest() -> Letter? {
    if case .frame(let frame) = backlog.first, frame.needsWork {
      phase = .idle
      return nil
    }
    let letter = backlog.take()
    phase = letter == nil ? .idle : .busy
    return letter
  }

  /// The consumer has returned.
  mutating func finished() {
    if case .busy = phase { phase = .idle }
  }

  /// The consumer was replaced: what was called for on its queue is called for on the new one's.
  /// Where the old consumer is busy, the new one waits for it to return.
  mutating func redirect() -> Action? {
    switch phase {
    case .called, .ready: call()
    case .idle: advance()
    case .preparing, .busy: nil
    }
  }

  /// There is no consumer any more: nothing waits.
  mutating func clear() {
    backlog.removeAll()
    switch phase {
    case .called, .ready, .preparing: phase = .idle
    case .idle, .busy: break
    }
    awaited += 1
  }

  private mutating func call() -> Action {
    awaited += 1
    return .call(awaited)
  }
}

extension FrameDeliveryMachine: Sendable where Frame: Sendable, Frame.Source: Sendable {}
extension FrameDeliveryMachine.Action: Sendable where Frame: Sendable {}
extension FrameDeliveryMachine.Phase: Sendable where Frame: Sendable, Frame.Source: Sendable {}
