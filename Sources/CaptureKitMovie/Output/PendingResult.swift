import Foundation
import Synchronization

/// A result that comes once, and that any number of tasks may wait for.
final class PendingResult<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var waiters: [UUID: CheckedContinuation<Value, any Error>] = [:]
    var cancelled: Set<UUID> = []
  }

  private let state = Mutex(State())

  var isResolved: Bool { state.withLock { $0.result != nil } }

  /// Sets the result; a second one is nobody's.
  func resolve(_ result: Result<Value, any Error>) {
    let waiters = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
      guard state.result == nil else { return [] }
      state.result = result
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(with: result) }
  }

  /// The result, once it is there.
  ///
  /// Throws its error; `CancellationError` where the task was cancelled first.
  var value: Value {
    get async throws {
      let id = UUID()
      defer { state.withLock { _ = $0.cancelled.remove(id) } }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let result = state.withLock { state -> Result<Value, any Error>? in
            if let result = state.result { return result }
            if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
            state.waiters[id] = continuation
            return nil
          }
          if let result { continuation.resume(with: result) }
        }
      } onCancel: {
        let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
          guard let waiter = state.waiters.removeValue(forKey: id) else {
            state.cancelled.insert(id)
            return nil
          }
          return waiter
        }
        waiter?.resume(throwing: CancellationError())
      }
    }
  }
}
