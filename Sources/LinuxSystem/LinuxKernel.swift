import CLinuxSystem
package import Glibc

/// The kernel that this process runs on.
package struct LinuxKernel: Kernel {
  package init() {}

  package func open(_ path: String, flags: Int32) throws(Errno) -> Int32 {
    try checked(unsafe Glibc.open(path, flags))
  }

  package func close(_ descriptor: Int32) throws(Errno) {
    try checked(Glibc.close(descriptor))
  }

  package func ioctl(
    _ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer
  ) throws(Errno) {
    try checked(unsafe ck_ioctl(descriptor, request, argument))
  }

  package func mmap(
    _ descriptor: Int32, length: Int, offset: Int
  ) throws(Errno) -> UnsafeMutableRawBufferPointer {
    let access = PROT_READ | PROT_WRITE
    let start = unsafe Glibc.mmap(nil, length, access, MAP_SHARED, descriptor, offset)
    // MAP_FAILED is -1 as a pointer, and a macro that Swift does not see.
    guard let start = unsafe start, UInt(bitPattern: start) != UInt.max else { throw Errno.current }
    return unsafe UnsafeMutableRawBufferPointer(start: start, count: length)
  }

  package func munmap(_ mapping: UnsafeMutableRawBufferPointer) throws(Errno) {
    guard let start = mapping.baseAddress else { return }
    try checked(unsafe Glibc.munmap(start, mapping.count))
  }

  package func poll(
    _ entries: UnsafeMutableBufferPointer<pollfd>, timeoutMilliseconds: Int32
  ) throws(Errno) -> Int32 {
    try checked(
      unsafe Glibc.poll(entries.baseAddress, nfds_t(entries.count), timeoutMilliseconds))
  }

  package func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &time) == 0 else { return 0 }
    return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
  }

  @discardableResult
  private func checked(_ result: Int32) throws(Errno) -> Int32 {
    guard result >= 0 else { throw Errno.current }
    return result
  }
}
