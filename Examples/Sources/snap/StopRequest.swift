import Synchronization

/// A wish to end, told once and waited for by any number of tasks.
final class StopRequest: Sendable {
  private struct State {
    var isTold = false
    var waiters: [AsyncStream<Void>.Continuation] = []
  }

  private let state = Mutex(State())

  /// Tells it; further calls change nothing.
  func tell() {
    let waiters = state.withLock { state in
      state.isTold = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.finish() }
  }

  /// Waits until it is told, or the task is cancelled.
  func wait() async {
    let (stream, waiter) = AsyncStream<Void>.makeStream()
    let isTold = state.withLock { state in
      if !state.isTold { state.waiters.append(waiter) }
      return state.isTold
    }
    if isTold { return }
    for await _ in stream {}
  }

  /// Waits until it is told, but no longer than so many seconds.
  func wait(seconds: Double) async {
    await withTaskGroup { group in
      group.addTask { await self.wait() }
      group.addTask { try? await Task.sleep(for: .seconds(seconds)) }
      await group.next()
      group.cancelAll()
    }
  }
}
