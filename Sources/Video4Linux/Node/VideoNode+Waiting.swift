import Glibc
import LinuxSystem

extension VideoNode {
  /// Waits on the device and for a signal.
  /// - Parameters:
  ///   - device: The descriptor; -1 for the signal alone.
  ///   - events: What is waited for, `POLLIN` and its like.
  ///   - wake: What brings the signal; it is not taken.
  ///   - timeoutMilliseconds: How long, worked out anew where a signal to the process interrupts;
  ///     negative for ever.
  /// - Returns: Both answers of poll(2); zeros when the time is up.
  /// - Throws: What poll(2) fails with; a signal to the process is none of it.
  func poll(
    _ device: Int32, for events: Int32, or wake: WakeEvent,
    timeoutMilliseconds: @autoclosure () -> Int32
  ) throws(Errno) -> (device: Int16, wake: Int16) {
    var entries = (
      pollfd(fd: device, events: Int16(truncatingIfNeeded: events), revents: 0),
      pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
    )
    try withoutInterrupts { () throws(Errno) in
      let timeout = timeoutMilliseconds()
      _ = try unsafe withUnsafeMutablePointer(to: &entries) { pointer throws(Errno) in
        try unsafe pointer.withMemoryRebound(to: pollfd.self, capacity: 2) {
          first throws(Errno) in
          try unsafe kernel.poll(
            UnsafeMutableBufferPointer(start: first, count: 2), timeoutMilliseconds: timeout)
        }
      }
    }
    return (entries.0.revents, entries.1.revents)
  }
}
