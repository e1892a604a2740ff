import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LinuxKernelTests {
  private let kernel = LinuxKernel()

  @Test func throwsTheErrorNumber() throws {
    var argument: CInt = 0
    let descriptor = try kernel.open("/dev/null", flags: O_RDWR | O_CLOEXEC)
    defer { try? kernel.close(descriptor) }

    #expect(throws: Errno.noEntry) { _ = try kernel.open("/dev/no-such-node", flags: O_RDWR) }
    #expect(throws: Errno.notSupported) { try kernel.ioctl(descriptor, 0x8068_5600, &argument) }
    #expect(throws: Errno.badDescriptor) { try kernel.close(-1) }
    #expect(throws: Errno.badDescriptor) { _ = try kernel.mmap(-1, length: 4096, offset: 0) }
  }

  @Test func mapsAndUnmapsAFile() throws {
    let folder = try TemporaryFolder()
    let descriptor = try kernel.open(folder.file("buffer", "picture"), flags: O_RDWR | O_CLOEXEC)
    defer { try? kernel.close(descriptor) }

    let mapping = try kernel.mmap(descriptor, length: 4096, offset: 0)

    #expect(mapping.count == 4096)
    #expect(mapping.prefix(7).elementsEqual("picture".utf8))
    try kernel.munmap(mapping)
  }

  @Test func closesADescriptorWithItsLastReference() throws {
    let rawValue = try kernel.open("/dev/null", flags: O_RDWR | O_CLOEXEC)
    let events = try ClosingKernel()

    var descriptor: Descriptor? = Descriptor(owning: rawValue, of: events)
    let other = descriptor
    descriptor = nil
    #expect(!events.isClosed)
    withExtendedLifetime(other) {}
    _ = consume other

    #expect(events.isClosed)
    try kernel.close(rawValue)
  }

  @Test func readsAClockThatGoesForward() {
    let first = kernel.monotonicNanoseconds()
    #expect(first > 0)
    #expect(kernel.monotonicNanoseconds() >= first)
  }
}

/// Notes a close and does not make it.
private struct ClosingKernel: Kernel {
  private let closed: WakeEvent

  init() throws { closed = try WakeEvent() }

  var isClosed: Bool { closed.drain() }

  func open(_ path: String, flags: Int32) throws(Errno) -> Int32 { throw .noEntry }
  func close(_ descriptor: Int32) throws(Errno) { closed.signal() }
  func ioctl(
    _ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer
  ) throws(Errno) { throw .notSupported }
  func mmap(
    _ descriptor: Int32, length: Int, offset: Int
  ) throws(Errno) -> UnsafeMutableRawBufferPointer { throw .noMemory }
  func munmap(_ mapping: UnsafeMutableRawBufferPointer) throws(Errno) {}
  func poll(
    _ entries: UnsafeMutableBufferPointer<pollfd>, timeoutMilliseconds: Int32
  ) throws(Errno) -> Int32 { 0 }
  func monotonicNanoseconds() -> UInt64 { 0 }
}
