import Glibc
import LinuxSystem
import Synchronization

/// The real kernel, but for what `poll` answers: regular files have no urgent events.
final class ScriptedPoll: Kernel {
  private let script: Mutex<[[Int: Int32]]>
  private let waits = Mutex<[Wait]>([])
  private let fails: Bool
  private let real = LinuxKernel()

  /// How many entries a call had, and how long it was to wait.
  struct Wait: Hashable {
    var entries: Int
    var milliseconds: Int32
  }

  /// All calls so far.
  var calls: [Wait] { waits.withLock { $0 } }

  /// - Parameters:
  ///   - script: For each call the events by entry; afterwards the kernel itself is asked.
  ///   - fails: Whether it refuses to wait instead.
  init(_ script: [[Int: Int32]], fails: Bool = false) {
    self.script = Mutex(script)
    self.fails = fails
  }

  func poll(
    _ entries: UnsafeMutableBufferPointer<pollfd>, timeoutMilliseconds: Int32
  ) throws(Errno) -> Int32 {
    waits.withLock { $0.append(Wait(entries: entries.count, milliseconds: timeoutMilliseconds)) }
    let step = script.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    if fails { throw .noMemory }
    guard let step else { return try real.poll(entries, timeoutMilliseconds: timeoutMilliseconds) }
    for (index, events) in step { entries[index].revents = Int16(events) }
    return Int32(step.count)
  }

  func open(_ path: String, flags: Int32) throws(Errno) -> Int32 {
    try real.open(path, flags: flags)
  }
  func close(_ descriptor: Int32) throws(Errno) { try real.close(descriptor) }
  func ioctl(
    _ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer
  ) throws(Errno) {
    try real.ioctl(descriptor, request, argument)
  }
  func mmap(
    _ descriptor: Int32, length: Int, offset: Int
  ) throws(Errno) -> UnsafeMutableRawBufferPointer {
    try real.mmap(descriptor, length: length, offset: offset)
  }
  func munmap(_ mapping: UnsafeMutableRawBufferPointer) throws(Errno) {
    try real.munmap(mapping)
  }
  func monotonicNanoseconds() -> UInt64 { real.monotonicNanoseconds() }
}
