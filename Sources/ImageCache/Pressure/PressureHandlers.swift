import Synchronization

/// Who wants to be told of memory pressure, in the order of asking.
final class PressureHandlers: Sendable {
  typealias Handler = @Sendable (MemoryPressureLevel) -> Void

  private struct State: Sendable {
    var handlers: [(number: Int, handler: Handler)] = []
    var next = 0
  }

  private let state = Mutex(State())

  /// - Returns: The handler's number, by which it is removed.
  func add(_ handler: @escaping Handler) -> Int {
    state.withLock { state in
      let number = state.next
      state.next += 1
      state.handlers.append((number, handler))
      return number
    }
  }

  func remove(_ number: Int) {
    state.withLock { state in state.handlers.removeAll { $0.number == number } }
  }

  /// Tells all, one after the other; those that are removed meanwhile are not told.
  func tell(_ level: MemoryPressureLevel) {
    for number in state.withLock({ $0.handlers.map(\.number) }) {
      let handler = state.withLock { state in
        state.handlers.first { $0.number == number }?.handler
      }
      handler?(level)
    }
  }
}
