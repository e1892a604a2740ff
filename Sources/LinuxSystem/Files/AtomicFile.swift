import Glibc

/// Files that are published whole or not at all.
///
/// Whoever opens the path at any moment, also after a crash, finds the old bytes or the new
/// ones. The new bytes go to a hidden file in the same folder, which then takes the name.
package enum AtomicFile {
  /// What a return promises about a power loss.
  package enum Durability: Hashable, Sendable {
    /// The file and its name are on the disk.
    case full
    /// The file is whole, old or new, as far as the file system keeps the order of its writes.
    case none
  }

  /// What the names of unfinished files begin with, should a crash leave one behind.
  package static let temporaryPrefix = ".unfinished-"

  /// Replaces the file at `path`, or makes it.
  ///
  /// A symbolic link is followed, also one whose target does not exist yet. An old file's mode is
  /// kept, and its owner where the process may set it; a new file gets what the umask leaves of
  /// 0666. What is no regular file (a pipe, a terminal, `/dev/null`) is written to as it is.
  ///
  /// - Parameters:
  ///   - bytes: What the file is to hold.
  ///   - path: The file.
  ///   - durability: What a return promises.
  ///   - permissions: The mode of a new file, whatever the umask is.
  /// - Throws: `FileFailure` with the kernel's errno. The old file is then untouched and no
  ///   unfinished one is left, except where only the last step failed, the folder's fsync.
  package static func write(
    _ bytes: RawSpan, to path: String, durability: Durability = .full,
    permissions: UInt32? = nil
  ) throws(FileFailure) {
    let old = try status(of: path)
    if let old, old.kind != S_IFREG, old.kind != S_IFDIR {
      return try writeInPlace(bytes, to: path)
    }
    let target = try followingLinks(path)
    let permissions = old?.permissions ?? permissions
    let (descriptor, temporary) = try makeTemporary(
      inFolderOf: target, isOpen: permissions == nil)
    do {
      try fill(
        descriptor, of: target, with: bytes, like: old, permissions, durability: durability)
      try FileFailure.check("rename", target) { unsafe rename(temporary, target) }
    } catch {
      _ = unsafe unlink(temporary)
      throw error
    }
    if durability == .full { try synchronizeFolder(of: target) }
  }

  /// Takes the file's name away; a symbolic link goes, not its target.
  ///
  /// - Returns: false where there was none.
  @discardableResult
  package static func remove(
    _ path: String, durability: Durability = .full
  ) throws(FileFailure) -> Bool {
    do {
      try FileFailure.check("unlink", path) { unsafe unlink(path) }
    } catch let error where error.errno == .noEntry {
      return false
    }
    if durability == .full { try synchronizeFolder(of: path) }
    return true
  }

  /// Renames a file to a name beside it that nothing has, and never over another file. Devices and
  /// pipes stay where they are.
  ///
  /// - Returns: The new path: the old one with `suffix` and, where that is taken, a number.
  package static func moveAside(_ path: String, suffix: String) throws(FileFailure) -> String {
    let target = try followingLinks(path)
    if let kind = try status(of: target)?.kind, kind != S_IFREG, kind != S_IFDIR {
      // A pipe or /dev/null is other programs' too.
      throw FileFailure(call: "rename", path: target, errno: .invalidArgument)
    }
    for number in 1...maximumAttempts {
      let candidate = target + suffix + (number == 1 ? "" : "-\(number)")
      do {
        // The empty file reserves the name; only then is it safe to rename over it.
        close(try makeNew(candidate, mode: 0o600, for: target))
      } catch let error where error.errno == .exists {
        continue
      }
      do {
        try FileFailure.check("rename", target) { unsafe rename(target, candidate) }
      } catch {
        _ = unsafe unlink(candidate)
        throw error
      }
      try synchronizeFolder(of: target)
      return candidate
    }
    throw FileFailure(call: "rename", path: target, errno: .exists)
  }
}

// MARK: - Steps of a write

extension AtomicFile {
  private static let maximumAttempts = 1000

  private static func writeInPlace(_ bytes: RawSpan, to path: String) throws(FileFailure) {
    let descriptor = try FileFailure.check("open", path) {
      unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    }
    defer { close(descriptor) }
    try writeAll(bytes, to: descriptor, at: path)
  }

  /// Opens a new file of a name that was free; a failure names the file that it is for.
  private static func makeNew(
    _ path: String, mode: mode_t, for target: String
  ) throws(FileFailure) -> Int32 {
    try FileFailure.check("open", target) {
      unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    }
  }

  private static func makeTemporary(
    inFolderOf target: String, isOpen: Bool
  ) throws(FileFailure) -> (descriptor: Int32, path: String) {
    // A name of its own: the target's name with an addition might be too long for the folder.
    let folder = folder(of: target)
    for _ in 1...maximumAttempts {
      let number = String(UInt64.random(in: .min ... .max), radix: 36)
      let path = joined(folder, temporaryPrefix + number)
      do {
        // Bytes of a private file must not be readable for a moment before it has its mode.
        return (try makeNew(path, mode: isOpen ? 0o666 : 0o600, for: target), path)
      } catch let error where error.errno == .exists {
        continue
      }
    }
    throw FileFailure(call: "open", path: target, errno: .exists)
  }

  /// Writes, gives the old file's mode, synchronizes and closes, in every case.
  private static func fill(
    _ descriptor: Int32, of path: String, with bytes: RawSpan, like old: Status?,
    _ permissions: UInt32?, durability: Durability
  ) throws(FileFailure) {
    do {
      try writeAll(bytes, to: descriptor, at: path)
      if let old {
        // Only root may give files away; a file of one's own is right without it.
        if fchown(descriptor, old.owner, old.group) != 0 {}
      }
      if let permissions {
        try FileFailure.check("fchmod", path) { fchmod(descriptor, permissions) }
      }
      // A failed fsync is final: the kernel marks the pages clean, so a second one would lie.
      if durability == .full { try FileFailure.check("fsync", path) { fsync(descriptor) } }
    } catch {
      close(descriptor)
      throw error
    }
    // Network file systems report a full disk here. The descriptor is gone even after EINTR.
    if close(descriptor) != 0, Errno.current != .interrupted {
      throw FileFailure(call: "close", path: path, errno: .current)
    }
  }

  private static func synchronizeFolder(of path: String) throws(FileFailure) {
    try Folder.synchronize(folder(of: path))
  }
}
