import Synchronization

/// Whether somebody still waits for what is being read; told from another thread.
final class MovieCancellation: Sendable {
  private let flag = Atomic(false)

  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  func cancel() { flag.store(true, ordering: .relaxed) }
}
