import CLinuxSystem
import Glibc

/// An eventfd(2) that wakes a thread from poll(2).
///
/// A signal is remembered until it is drained, so one that comes before the wait is not lost;
/// several count as one.
package final class WakeEvent: Sendable {
  /// The descriptor to wait on, for reading.
  package let descriptor: Int32

  package init() throws(Errno) {
    let result = ck_eventfd()
    guard result >= 0 else { throw Errno(rawValue: -result) }
    descriptor = result
  }

  deinit {
    _ = Glibc.close(descriptor)
  }

  /// Wakes whoever waits on the descriptor. From any thread; never blocks.
  package func signal() {
    var one: UInt64 = 1
    // The only failure is a full counter, which is a signal already.
    _ = try? retryingInterrupts { unsafe write(descriptor, &one, MemoryLayout<UInt64>.size) }
  }

  /// Takes the signals given so far. Never blocks.
  /// - Returns: Whether there was one.
  @discardableResult
  package func drain() -> Bool {
    var count: UInt64 = 0
    let size = MemoryLayout<UInt64>.size
    let taken = try? retryingInterrupts { unsafe read(descriptor, &count, size) }
    return taken != nil && count > 0
  }
}
