import Dispatch
import Synchronization

/// Tells those who look at a photo output's readiness when it changes; called on one serial queue.
final class ReadinessBoard: Sendable {
  typealias Watcher = @Sendable (CapturePhotoOutput.CaptureReadiness) -> Void

  private struct State {
    var lastID = 0
    var watchers: [Int: Watcher] = [:]
  }

  private let state = Mutex(State())

  var isWatched: Bool { state.withLock { !$0.watchers.isEmpty } }

  /// Adds somebody who is told of every change from now on.
  func add(_ watcher: @escaping Watcher) -> Int {
    state.withLock { state in
      state.lastID += 1
      state.watchers[state.lastID] = watcher
      return state.lastID
    }
  }

  func remove(_ id: Int) {
    state.withLock { _ = $0.watchers.removeValue(forKey: id) }
  }

  /// Passes the readiness on; also where it is the same, to those who have more to look at than it.
  func show(_ readiness: CapturePhotoOutput.CaptureReadiness) {
    for watcher in state.withLock({ Array($0.watchers.values) }) { watcher(readiness) }
  }
}

extension PhotoRequestQueue {
  /// What a shutter button should show.
  var readiness: CapturePhotoOutput.CaptureReadiness {
    state.withLock { state in
      PhotoReadiness(
        isRunning: state.streams.contains { $0.end == nil },
        isSwitching: state.entries.contains { $0.isStarted && $0.machine.isOver },
        waitingCount: state.entries.filter { $0.machine.needsFrames }.count,
        processingCount: state.entries.reduce(0) { $0 + $1.machine.processingCount })
    }.state
  }

  /// Tells those who look, in order, and not under a lock.
  func readinessHasChanged() {
    guard readinessBoard.isWatched else { return }
    callbacks.async { [self] in readinessBoard.show(readiness) }
  }
}
