import Dispatch
import LinuxSystem
import Synchronization

/// A serial queue that knows whether it is its own work that asks.
///
/// Dispatch's means for that, a value specific to a queue, starts a thread when the queue goes.
final class SerialQueue: Sendable {
  private let queue: DispatchQueue
  /// The thread on which work is being done.
  private let worker = Mutex<ThreadIdentity?>(nil)

  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  /// Whether the caller is work of this queue, for which waiting for the queue would never end.
  var isCurrent: Bool {
    worker.withLock { $0?.isCurrent } ?? false
  }

  func async(_ work: @escaping @Sendable () -> Void) {
    queue.async { self.perform(work) }
  }

  func sync<Value>(_ work: () throws -> Value) rethrows -> Value {
    try queue.sync { try perform(work) }
  }

  private func perform<Value>(_ work: () throws -> Value) rethrows -> Value {
    worker.withLock { $0 = .current }
    defer { worker.withLock { $0 = nil } }
    return try work()
  }
}
