import CaptureKitLinux
import Synchronization

/// Follows a session's states.
final class StateDiary: Sendable {
  private let task = Mutex<Task<[CaptureSession.State], Never>?>(nil)

  func follow(_ session: CaptureSession) {
    let states = session.states
    task.withLock {
      $0 = Task {
        var seen: [CaptureSession.State] = []
        for await state in states {
          if seen.isEmpty, state == .stopped { continue }
          seen.append(state)
          if state == .stopped { break }
        }
        return seen
      }
    }
  }

  /// All states from the start to the stop.
  func states() async -> [CaptureSession.State] {
    await task.withLock { $0 }?.value ?? []
  }
}
