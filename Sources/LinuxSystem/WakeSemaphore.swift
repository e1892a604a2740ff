import CLinuxSystem
import Glibc

/// Wakes a waiting thread, and needs no descriptor for it: where those have run out, too.
@safe package final class WakeSemaphore: Sendable {
  // A semaphore may be used from any thread; the memory is this object's for as long as it lives.
  nonisolated(unsafe) private let semaphore: UnsafeMutablePointer<sem_t>

  package init() {
    unsafe semaphore = .allocate(capacity: 1)
    // It fails for counts above 2^31 and for shared memory only.
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Wakes the waiting call, or the next one; each signal wakes one.
  package func signal() { _ = unsafe sem_post(semaphore) }

  /// Waits for a signal.
  /// - Parameter deadline: When to give up, in nanoseconds of CLOCK_MONOTONIC.
  /// - Returns: Whether there was a signal.
  package func wait(until deadline: UInt64) -> Bool {
    do {
      try retryingInterrupts { unsafe ck_semaphore_wait(semaphore, deadline) }
      return true
    } catch {
      return false
    }
  }
}
