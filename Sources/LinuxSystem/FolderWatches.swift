import Glibc

/// Watches any number of folders with one instance of inotify(7).
///
/// The system has a bounded number of watches for each user (`fs.inotify.max_user_watches`), so
/// adding one can fail on any machine.
package final class FolderWatches: Sendable {
  /// Names a watched folder; a number is not used again.
  package typealias Number = Int32

  /// What happened in folders since the last look.
  package struct Events: Hashable, Sendable {
    /// Names of files that came, went, or have new contents, permissions or times.
    package var files: [Number: Set<[UInt8]>] = [:]
    /// Names of folders that came or went.
    package var folders: [Number: Set<[UInt8]>] = [:]
    /// Folders that are watched no longer: they are gone or have moved.
    package var ended: Set<Number> = []
    /// Whether more happened than could be noted.
    package var isIncomplete = false

    package var isEmpty: Bool {
      files.isEmpty && folders.isEmpty && ended.isEmpty && !isIncomplete
    }
  }

  private let kernel = LinuxKernel()
  private let descriptor: Descriptor
  private let wake: WakeEvent

  /// - Throws: `tooManyOpenFiles` where the system allows no more.
  package init() throws(Errno) {
    wake = try WakeEvent()
    let number = try retryingInterrupts { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }
    descriptor = Descriptor(owning: number, of: kernel)
  }

  private static let mask =
    UInt32(IN_CREATE | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
    | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)

  /// Begins to watch a folder: changes from now on are not lost.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - followsLink: Whether the path may be a link to it.
  /// - Returns: The number that a folder which is watched already has.
  /// - Throws: `FileFailure`, with `noSpace` where the system allows no more watches.
  package func add(
    _ path: RawPath, followsLink: Bool = false
  ) throws(FileFailure) -> Number {
    let mask = Self.mask | (followsLink ? 0 : UInt32(IN_DONT_FOLLOW))
    return try path.call("inotify_add_watch") {
      unsafe inotify_add_watch(descriptor.rawValue, $0, mask)
    }
  }

  /// Ends a watch.
  package func remove(_ number: Number) {
    _ = inotify_rm_watch(descriptor.rawValue, number)
  }

  /// CLOCK_MONOTONIC in nanoseconds, which deadlines are read on.
  package var now: UInt64 { kernel.monotonicNanoseconds() }

  /// Makes a waiting call, or the next one, return at once. From any thread, at any time.
  package func interrupt() { wake.signal() }

  /// More reads than the kernel's queue of 16 384 changes takes.
  private static let readLimit = 64

  /// Waits until something happens; what has happened since the last call is returned at once.
  ///
  /// - Parameter deadline: When to give up; nil waits for ever.
  /// - Returns: Nothing where the time is up, or ``interrupt()`` was called.
  package func wait(until deadline: UInt64?) -> Events {
    var events = Events()
    let isReadable = (try? withoutInterrupts { () throws(Errno) in try poll(until: deadline) })
    guard isReadable == true else { return events }
    wake.drain()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    for _ in 0..<Self.readLimit {
      let count = try? retryingInterrupts {
        unsafe read(descriptor.rawValue, &buffer, buffer.count)
      }
      guard let count, count > 0 else { break }
      events.add(buffer[..<count])
    }
    return events
  }

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

// MARK: - The kernel's records

extension FolderWatches.Events {
  /// Takes note of what a read gave: watch, mask, cookie and the length of the name that follows,
  /// 32 bits each, and the name.
  fileprivate mutating func add(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while rest.count >= 16 {
      let words = unsafe rest.prefix(16).withUnsafeBytes {
        unsafe [UInt32]($0.bindMemory(to: UInt32.self))
      }
      let name = Array(rest.dropFirst(16).prefix(Int(words[3])).prefix { $0 != 0 })
      add(Int32(bitPattern: words[0]), words[1], name)
      rest = rest.dropFirst(16 + Int(words[3]))
    }
  }

  private mutating func add(_ watch: Int32, _ mask: UInt32, _ name: [UInt8]) {
    if mask & UInt32(IN_Q_OVERFLOW) != 0 { isIncomplete = true }
    if mask & UInt32(IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) != 0 {
      ended.insert(watch)
    }
    // Hidden ones are others' unfinished files.
    guard let first = name.first, first != UInt8(ascii: ".") else { return }
    if mask & UInt32(IN_ISDIR) == 0 {
      files[watch, default: []].insert(name)
    } else if mask & UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO) != 0 {
      folders[watch, default: []].insert(name)
    }
  }
}
