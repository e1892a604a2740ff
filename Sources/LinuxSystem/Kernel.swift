package import Glibc

/// The few system calls that a device needs, so that tests can put a whole device in their place.
///
/// Each call is made once: what a signal interrupts throws ``Errno/interrupted`` and is repeated
/// by ``withoutInterrupts(_:)`` above. All calls may come from any thread.
package protocol Kernel: Sendable {
  /// open(2) of something that exists. The caller owns the descriptor.
  func open(_ path: String, flags: Int32) throws(Errno) -> Int32

  /// close(2). The descriptor is gone whatever is thrown.
  func close(_ descriptor: Int32) throws(Errno)

  /// ioctl(2) with an argument of the request's own type.
  func ioctl(
    _ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer
  ) throws(Errno)

  /// mmap(2), shared and writable, as a driver's buffers are mapped.
  func mmap(
    _ descriptor: Int32, length: Int, offset: Int
  ) throws(Errno) -> UnsafeMutableRawBufferPointer

  /// munmap(2) of a whole mapping.
  func munmap(_ mapping: UnsafeMutableRawBufferPointer) throws(Errno)

  /// poll(2): writes the answers into `entries` and returns how many of them have one, 0 when
  /// the time is up. A negative time waits for ever.
  func poll(
    _ entries: UnsafeMutableBufferPointer<pollfd>, timeoutMilliseconds: Int32
  ) throws(Errno) -> Int32

  /// CLOCK_MONOTONIC in nanoseconds.
  func monotonicNanoseconds() -> UInt64
}
