import Foundation
import Synchronization

/// One request and its answer, on their way.
final class Exchange: Sendable {
  /// What is to be done when the server's thread comes by.
  enum Step: Sendable {
    /// The request is whole: ask the handler.
    case ask(WebRequest)
    case reply(WebResponse)
    /// Nothing can be said any more.
    case cut
  }

  private enum Phase: Sendable {
    case receiving
    case refused(WebResponse)
    case asking
    case answered(WebResponse)
    case over
  }

  private struct State: Sendable {
    var request: WebRequest
    var phase: Phase
    var receivedByteCount = 0
  }

  private let state: Mutex<State>
  private let limit: Int
  private let memory: BodyMemory

  init(_ request: WebRequest, refusal: WebResponse?, limit: Int, memory: BodyMemory) {
    state = Mutex(State(request: request, phase: refusal.map { .refused($0) } ?? .receiving))
    self.limit = limit
    self.memory = memory
    if refusal == nil, let text = request.headers["content-length"] {
      if Int(text).map({ $0 > limit }) ?? true { refuseLength() }
    }
  }

  deinit { memory.giveBack(state.withLock { $0.request.body.count }) }

  /// Takes a piece of the body in.
  ///
  /// What is refused is still received, so that the client listens to why, but not without end.
  ///
  /// - Returns: Whether more may come.
  func receive(_ piece: RawSpan) -> Bool {
    let (received, isRefused) = state.withLock { state in
      state.receivedByteCount += piece.byteCount
      if case .receiving = state.phase { return (state.receivedByteCount, false) }
      return (state.receivedByteCount, true)
    }
    if isRefused { return received <= max(limit, 1 << 20) * 8 }
    guard received <= limit else {
      refuseLength()
      return true
    }
    guard memory.take(piece.byteCount) else {
      refuse(.sentence(503, "Too many uploads at one time: try again in a moment."))
      return true
    }
    state.withLock { $0.request.body.append(copying: piece) }
    return true
  }

  /// What is next; the server's thread asks when the request is whole, and each time it comes by.
  func step() -> Step {
    state.withLock { state in
      switch state.phase {
      case .receiving:
        state.phase = .asking
        return .ask(state.request)
      case .refused(let response), .answered(let response):
        state.phase = .over
        return .reply(response)
      case .asking, .over: return .cut
      }
    }
  }

  /// Notes the handler's answer.
  func answer(_ response: WebResponse) { state.withLock { $0.phase = .answered(response) } }

  /// Notes that somebody else had the connection.
  func end() { state.withLock { $0.phase = .over } }

  private func refuseLength() {
    refuse(
      .sentence(413, "That is too large: the most that is taken here is \(limit >> 20) MB."))
  }

  private func refuse(_ response: WebResponse) {
    let count = state.withLock { state in
      defer { state.request.body = Data() }
      state.phase = .refused(response)
      return state.request.body.count
    }
    memory.giveBack(count)
  }
}
