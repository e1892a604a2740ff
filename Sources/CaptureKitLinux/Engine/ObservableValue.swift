import Synchronization

/// A value that can be watched: each observer is told the present value and then the newest one
/// after each change, one call at a time, on the thread that made the change.
///
/// Values that come while a handler runs are told afterwards, and only the last of them: however
/// slow a handler is, nothing piles up, and what it hears last is what holds.
final class ObservableValue<Value: Equatable & Sendable>: Sendable {
  private struct Observer {
    let id: UInt64
    let handler: @Sendable (Value) -> Void
    var told: Value?
  }

  private struct State {
    var value: Value
    var observers: [Observer] = []
    var lastID: UInt64 = 0
    var isTelling = false
  }

  private let state: Mutex<State>

  init(_ value: Value) {
    state = Mutex(State(value: value))
  }

  var value: Value { state.withLock { $0.value } }

  /// Changes the value; nobody is told where it comes out the same.
  func change(_ body: (inout Value) -> Void) {
    state.withLock { body(&$0.value) }
    tell()
  }

  var isObserved: Bool { state.withLock { !$0.observers.isEmpty } }

  /// Tells a handler the present value and each new one until the observation ends.
  func observe(_ handler: @escaping @Sendable (Value) -> Void) -> CaptureObservation {
    let id = state.withLock { state in
      state.lastID += 1
      state.observers.append(Observer(id: state.lastID, handler: handler))
      return state.lastID
    }
    tell()
    return CaptureObservation { self.remove(id) }
  }

  private func remove(_ id: UInt64) {
    // Released after unlocking: what the handler holds may end observations itself.
    let removed = state.withLock { state in
      let index = state.observers.firstIndex { $0.id == id }
      return index.map { state.observers.remove(at: $0) }
    }
    _ = removed
  }

  private func tell() {
    let isTold = state.withLock { state in
      defer { state.isTelling = true }
      return state.isTelling
    }
    guard !isTold else { return }
    while let (handler, value) = next() { handler(value) }
  }

  /// The next handler that does not know the value yet; without one, telling is over.
  private func next() -> (@Sendable (Value) -> Void, Value)? {
    state.withLock { state in
      guard let index = state.observers.firstIndex(where: { $0.told != state.value }) else {
        state.isTelling = false
        return nil
      }
      state.observers[index].told = state.value
      return (state.observers[index].handler, state.value)
    }
  }
}
