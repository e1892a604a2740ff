import Dispatch
import Synchronization

extension CaptureEnvironment {
  /// How long a synchronous look-up waits for backends.
  private static let patience = DispatchTimeInterval.seconds(10)

  /// Lists the cameras, waiting for backends that answer asynchronously; what fails lists none.
  ///
  /// The backends run side by side on threads of their own, so the wait cannot starve the threads
  /// that they need; one that does not answer in ten seconds is left out. A backend bound to the
  /// main actor cannot answer a look-up that blocks the main thread: use ``devices()`` there.
  func devicesNow() -> [CaptureDevice] {
    let answers = Answers(count: backends.count)
    let group = DispatchGroup()
    let tasks = backends.indices.map { index in
      group.enter()
      return Task(executorPreference: DiscoveryExecutor()) {
        let devices = try? await self.devices(at: index)
        answers.values.withLock { $0[index] = devices ?? [] }
        group.leave()
      }
    }
    if group.wait(timeout: .now() + Self.patience) == .timedOut {
      for task in tasks { task.cancel() }
    }
    return answers.values.withLock { $0.flatMap(\.self) }
  }
}

/// What the backends have answered so far, in their order.
private final class Answers: Sendable {
  let values: Mutex<[[CaptureDevice]]>

  init(count: Int) {
    values = Mutex(Array(repeating: [], count: count))
  }
}

/// A thread for one look-up: serial queues do not share the threads of the program's tasks.
final class DiscoveryExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "CaptureKitLinux.discovery")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
