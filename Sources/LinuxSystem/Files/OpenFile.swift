import CLinuxSystem
import Glibc

/// An open file, closed with its owner. The calls' `path` is what errors name.
package struct OpenFile: ~Copyable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Takes over a descriptor that nobody else may close.
  init(owning descriptor: Int32) { self.init(descriptor) }

  /// For the calls of this room, as long as the value lives.
  var rawDescriptor: Int32 { descriptor }

  /// Opens a file to read; links are followed. A pipe does not hold the caller up.
  package init(reading path: String) throws(FileFailure) {
    self.init(
      try FileFailure.call("open", path) {
        // Handing the string itself over would copy it first.
        unsafe path.withCString {
          unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        }
      })
  }

  /// Makes a file to write, of a name that is free.
  package init(making path: String, permissions: UInt32) throws(FileFailure) {
    self.init(
      try FileFailure.call("open", path) {
        unsafe path.withCString {
          unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
        }
      })
  }

  /// Opens a small file to read and, where `isWritable`, to write; makes it where it is missing. A
  /// link is refused: what it leads to is somebody else's.
  package init(sharing path: String, isWritable: Bool) throws(FileFailure) {
    let flags = (isWritable ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_CLOEXEC
    func open(_ flags: Int32) throws(FileFailure) -> Int32 {
      try FileFailure.call("open", path) {
        unsafe path.withCString { unsafe Glibc.open($0, flags, 0o666) }
      }
    }
    do throws(FileFailure) {
      self.init(try open(flags))
    } catch {
      guard error.errno == .noEntry else { throw error }
      // Not at first: in /tmp the kernel lets nobody ask so for a file that is another's.
      self.init(try open(flags | O_CREAT))
    }
  }

  /// Opens a file by a path that begins in an open folder.
  init(
    _ name: String, in folder: Int32, _ flags: Int32, _ permissions: UInt32, _ path: String
  ) throws(FileFailure) {
    self.init(
      try FileFailure.call("open", path) {
        unsafe name.withCString { unsafe openat(folder, $0, flags, permissions) }
      })
  }

  deinit { _ = Glibc.close(descriptor) }

  /// Closes the file and says what a network's file system could not keep.
  package consuming func close(_ path: String) throws(FileFailure) {
    let descriptor = descriptor
    discard self
    // The descriptor is gone even after EINTR.
    if Glibc.close(descriptor) != 0, Errno.current != .interrupted {
      throw FileFailure(call: "close", path: path, errno: .current)
    }
  }

  package func status(_ path: String) throws(FileFailure) -> FileStatus {
    var raw = stat()
    try FileFailure.call("fstat", path) { unsafe fstat(descriptor, &raw) }
    return FileStatus(raw)
  }

  /// Reads from where the file stands; fewer bytes than `count` where it ends before.
  package func read(_ count: Int, _ path: String) throws(FileFailure) -> FileBytes {
    let descriptor = descriptor
    return try unsafe FileBytes(
      room: count,
      { room throws(FileFailure) in
        var filled = 0
        while filled < count {
          let step = try FileFailure.call("read", path) {
            unsafe Glibc.read(
              descriptor, room.baseAddress.map { unsafe $0 + filled }, count - filled)
          }
          if step == 0 { break }
          filled += step
        }
        return filled
      }, for: path)
  }

  /// Reads from a place in the file, wherever the file stands, into memory that the caller lends.
  ///
  /// - Returns: How many bytes were read: fewer than there is room for where the file ends before.
  package func read(
    into room: UnsafeMutableRawBufferPointer, at offset: Int, _ path: String
  ) throws(FileFailure) -> Int {
    try FileFailure.call("pread", path) {
      unsafe pread(descriptor, room.baseAddress, room.count, offset)
    }
  }

  package func write(_ bytes: RawSpan, _ path: String) throws(FileFailure) {
    try writeAll(bytes, to: descriptor, at: path)
  }

  /// Writes over the beginning of the file.
  package func writeOver(_ bytes: [UInt8], _ path: String) throws(FileFailure) {
    let count = try FileFailure.call("pwrite", path) {
      unsafe pwrite(descriptor, bytes, bytes.count, 0)
    }
    guard count == bytes.count else {
      throw FileFailure(call: "pwrite", path: path, errno: .noSpace)
    }
  }

  /// Writes all bytes to a place of the file, wherever it stands.
  package func write(_ bytes: RawSpan, at place: Int64, _ path: String) throws(FileFailure) {
    var written = 0
    while written < bytes.byteCount {
      let rest = bytes.extracting(droppingFirst: written)
      let count = try FileFailure.call("pwrite", path) {
        unsafe rest.withUnsafeBytes {
          unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(place) + off_t(written))
        }
      }
      guard count > 0 else { throw FileFailure(call: "pwrite", path: path, errno: .noSpace) }
      written += count
    }
  }

  /// Writes some bytes and then others behind them to a place of the file, in one call where the
  /// kernel takes all.
  package func write(
    _ first: RawSpan, then second: RawSpan, at place: Int64, _ path: String
  ) throws(FileFailure) {
    let count = try FileFailure.call("pwritev", path) {
      unsafe first.withUnsafeBytes { one in
        unsafe second.withUnsafeBytes { other in
          let parts = unsafe [
            iovec(iov_base: UnsafeMutableRawPointer(mutating: one.baseAddress), iov_len: one.count),
            iovec(
              iov_base: UnsafeMutableRawPointer(mutating: other.baseAddress), iov_len: other.count),
          ]
          return unsafe pwritev(descriptor, parts, 2, off_t(place))
        }
      }
    }
    if count < first.byteCount {
      try write(first.extracting(droppingFirst: count), at: place + Int64(count), path)
    }
    let written = max(count - first.byteCount, 0)
    guard written < second.byteCount else { return }
    try write(
      second.extracting(droppingFirst: written),
      at: place + Int64(first.byteCount) + Int64(written), path)
  }

  /// Cuts the file off behind so many bytes.
  package func truncate(to byteCount: Int64, _ path: String) throws(FileFailure) {
    try FileFailure.call("ftruncate", path) { ftruncate(descriptor, off_t(byteCount)) }
  }

  /// Bytes that this user may still fill on the file's disk.
  package func freeByteCount(_ path: String) throws(FileFailure) -> Int64 {
    var raw = statvfs()
    try FileFailure.call("fstatvfs", path) { unsafe fstatvfs(descriptor, &raw) }
    let (bytes, overflow) = UInt64(raw.f_bavail).multipliedReportingOverflow(
      by: UInt64(raw.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }

  package func setPermissions(_ permissions: UInt32, _ path: String) throws(FileFailure) {
    try FileFailure.call("fchmod", path) { fchmod(descriptor, permissions) }
  }

  /// A failed one is final: the kernel marks the pages clean, so a second one would lie.
  package func synchronize(_ path: String) throws(FileFailure) {
    try FileFailure.call("fsync", path) { fsync(descriptor) }
  }
}

// MARK: - Extended attributes, times and locks

extension OpenFile {
  /// An extended attribute's value.
  ///
  /// - Parameters:
  ///   - name: The attribute, `user.…`.
  ///   - room: The most bytes that it may have.
  /// - Returns: nil where there is none, where it is longer, and where the file system has none
  ///   at all.
  package func attribute(_ name: String, atMost room: Int = 64) -> [UInt8]? {
    var count = -1
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { memory, filled in
      guard let start = memory.baseAddress else { return }
      count = unsafe name.withCString {
        unsafe ck_get_attribute(descriptor, $0, start, UInt(room))
      }
      filled = max(count, 0)
    }
    return count < 0 ? nil : bytes
  }

  /// Sets an extended attribute.
  /// - Returns: false where the file system has none, or no room for it.
  package func setAttribute(_ name: String, to bytes: [UInt8]) -> Bool {
    unsafe name.withCString {
      unsafe ck_set_attribute(descriptor, $0, bytes, UInt(bytes.count)) == 0
    }
  }

  /// Notes that the file was used now. Where that is not allowed it stays as it is.
  package func touch() { _ = ck_touch_access(descriptor) }

  /// Takes the lock of flock(2) where nobody has it; it goes with the descriptor.
  package func tryLock(exclusive: Bool) -> Bool {
    (try? retryingInterrupts {
      flock(descriptor, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB)
    }) != nil
  }

  /// The same, but waits for it.
  /// - Parameters:
  ///   - exclusive: Whether nobody else may have it.
  ///   - nanoseconds: How long to wait; 0 takes it only where it is free.
  /// - Returns: false where others had it all the time.
  package func lock(exclusive: Bool, within nanoseconds: UInt64) -> Bool {
    if tryLock(exclusive: exclusive) { return true }
    let kernel = LinuxKernel()
    let deadline = kernel.monotonicNanoseconds() + nanoseconds
    // flock(2) itself waits without bound.
    var pause: useconds_t = 20
    while kernel.monotonicNanoseconds() < deadline {
      usleep(pause)
      if tryLock(exclusive: exclusive) { return true }
      pause = min(2 * pause, 5000)
    }
    return false
  }

  /// Gives the lock back; the file stays open.
  package func unlock() { flock(descriptor, LOCK_UN) }

  /// Whether the file has a name still: nobody else finds one that has none.
  package var hasName: Bool {
    var raw = stat()
    return unsafe fstat(descriptor, &raw) == 0 && raw.st_nlink > 0
  }
}
