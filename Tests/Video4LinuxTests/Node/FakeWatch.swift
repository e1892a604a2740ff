import Dispatch
import LinuxSystem
import Synchronization

/// A folder's watch whose events and time are a test's. Time passes while somebody waits.
final class FakeWatch: DirectoryWatching {
  private struct State {
    var now: UInt64 = 0
    var pending: [Result<DirectoryChanges, Errno>] = []
    var isInterrupted = false
  }

  private let state = Mutex(State())
  private let bell = DispatchSemaphore(value: 0)

  var now: UInt64 { state.withLock { $0.now } }

  func wait(until deadline: UInt64?) throws(Errno) -> DirectoryChanges {
    while true {
      let next = state.withLock { state -> Result<DirectoryChanges, Errno>? in
        if !state.pending.isEmpty { return state.pending.removeFirst() }
        if state.isInterrupted {
          state.isInterrupted = false
          return .success(DirectoryChanges())
        }
        guard let deadline else { return nil }
        state.now = max(state.now, deadline)
        return .success(DirectoryChanges())
      }
      if let next { return try next.get() }
      bell.wait()
    }
  }

  func interrupt() {
    state.withLock { $0.isInterrupted = true }
    bell.signal()
  }

  func say(_ names: String...) { put(.success(DirectoryChanges(Set(names)))) }

  func fail(_ error: Errno) { put(.failure(error)) }

  private func put(_ next: Result<DirectoryChanges, Errno>) {
    state.withLock { $0.pending.append(next) }
    bell.signal()
  }
}
