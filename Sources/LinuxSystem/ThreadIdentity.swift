import Glibc

/// Names a thread for as long as that runs; its name may be another's afterwards.
package struct ThreadIdentity: Sendable {
  private let thread: pthread_t

  /// The calling thread.
  package static var current: ThreadIdentity { ThreadIdentity(thread: pthread_self()) }

  /// Whether it is the calling thread.
  package var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }
}
