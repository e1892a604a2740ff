import Synchronization

/// A value that comes once, and those who wait for it.
final class PickerPromise<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiters: [@Sendable (Value) -> Void] = []
  }

  private let state = Mutex(State())

  /// Gives the value; of several the first one holds.
  func resolve(_ value: Value) {
    let waiters = state.withLock { state -> [@Sendable (Value) -> Void] in
      guard state.value == nil else { return [] }
      state.value = value
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter(value) }
  }

  /// Calls a function with the value, at once where it is there.
  func then(_ body: @escaping @Sendable (Value) -> Void) {
    let value = state.withLock { state -> Value? in
      if state.value == nil { state.waiters.append(body) }
      return state.value
    }
    if let value { body(value) }
  }

  var value: Value {
    get async {
      await withCheckedContinuation { continuation in then { continuation.resume(returning: $0) } }
    }
  }
}
