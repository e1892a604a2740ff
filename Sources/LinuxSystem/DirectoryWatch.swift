import Glibc

/// Watches a folder with inotify(7): the kernel says what happens, when it happens.
///
/// The system has a bounded number of these for each user (`fs.inotify.max_user_instances`, 128 by
/// default), so making one can fail on any machine.
package final class DirectoryWatch: DirectoryWatching {
  private let kernel = LinuxKernel()
  private let descriptor: Descriptor
  private let wake: WakeEvent

  /// Begins to watch: changes from now on are not lost.
  /// - Parameters:
  ///   - folder: The folder's path.
  ///   - contents: Whether new contents of files count, when they are complete, instead of
  ///     permissions.
  ///   - isGradual: Whether also contents count that are not complete yet.
  /// - Throws: `tooManyOpenFiles` and `noSpace` where the system allows no more watches, `noEntry`.
  package init(
    folder: String, contents: Bool = false, isGradual: Bool = false
  ) throws(Errno) {
    wake = try WakeEvent()
    let number = try retryingInterrupts { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }
    descriptor = Descriptor(owning: number, of: kernel)
    let events =
      (contents ? IN_CLOSE_WRITE : IN_CREATE | IN_ATTRIB) | (isGradual ? IN_MODIFY : 0)
      | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
    try retryingInterrupts {
      unsafe inotify_add_watch(number, folder, UInt32(events) | UInt32(IN_ONLYDIR))
    }
  }

  /// More reads than the kernel's queue of 16 384 changes takes, so that a folder that never rests
  /// is told of too.
  private static let readLimit = 64

  package var now: UInt64 { kernel.monotonicNanoseconds() }

  package func wait(until deadline: UInt64?) throws(Errno) -> DirectoryChanges {
    let isReadable = try withoutInterrupts { () throws(Errno) in try poll(until: deadline) }
    guard isReadable, !wake.drain() else { return DirectoryChanges() }
    // All that there is, not a buffer full: what the kernel has no room for is lost.
    var changes = DirectoryChanges()
    var buffer = [UInt8](repeating: 0, count: 16384)
    for _ in 0..<Self.readLimit {
      do {
        let count = try retryingInterrupts {
          unsafe read(descriptor.rawValue, &buffer, buffer.count)
        }
        changes.add(try InotifyRecords(buffer[..<count]).changes())
      } catch .again {
        break
      }
    }
    return changes
  }

  package func interrupt() { wake.signal() }

  private func poll(until deadline: UInt64?) throws(Errno) -> Bool {
    var entries = [
      pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let time = deadline.map { deadline -> Int32 in
      let now = now
      // Rounded up: a wait that ends early would be repeated without end.
      return deadline <= now ? 0 : Int32(clamping: (deadline - now + 999_999) / 1_000_000)
    }
    return try unsafe entries.withUnsafeMutableBufferPointer { entries throws(Errno) in
      try unsafe kernel.poll(entries, timeoutMilliseconds: time ?? -1) > 0
    }
  }
}

/// The records that reading from inotify gives, one after the other.
private struct InotifyRecords {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// - Throws: `noEntry` where the folder is watched no longer.
  func changes() throws(Errno) -> DirectoryChanges {
    let ends = UInt32(IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)
    var changes = DirectoryChanges()
    var rest = bytes
    // watch, mask, cookie and the length of the name that follows, 32 bits each.
    while rest.count >= 16 {
      let (mask, length) = (Self.number(rest, at: 4), Int(Self.number(rest, at: 12)))
      let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
      if mask & ends != 0 { throw .noEntry }
      if mask & UInt32(IN_Q_OVERFLOW) != 0 { changes.isIncomplete = true }
      if !name.isEmpty { changes.names.insert(String(decoding: name, as: UTF8.self)) }
      rest = rest.dropFirst(16 + length)
    }
    return changes
  }

  private static func number(_ bytes: ArraySlice<UInt8>, at offset: Int) -> UInt32 {
    let start = bytes.startIndex + offset
    let parts = bytes[start..<start + 4].map(UInt32.init)
    #if _endian(big)
      return parts[0] << 24 | parts[1] << 16 | parts[2] << 8 | parts[3]
    #else
      return parts[3] << 24 | parts[2] << 16 | parts[1] << 8 | parts[0]
    #endif
  }
}
