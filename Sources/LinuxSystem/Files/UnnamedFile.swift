import CLinuxSystem
import Glibc

/// A new file that has no name until it is whole; what is not published leaves nothing behind.
///
/// Also a process that is killed leaves nothing where the file system has files without names
/// (`O_TMPFILE`: ext4, XFS, Btrfs, tmpfs); elsewhere it is a hidden file, named as ``AtomicFile``
/// names those.
package struct UnnamedFile: ~Copyable {
  private let file: OpenFile
  private let folder: RawPath
  /// The hidden file's path, where it has to have one.
  private let hidden: RawPath?

  /// Makes a file in a folder. It gets what the umask leaves of 0666.
  package init(in folder: RawPath) throws(FileFailure) {
    self.folder = folder
    if let descriptor = try Self.openUnnamed(in: folder) {
      file = OpenFile(owning: descriptor)
      hidden = nil
      return
    }
    let number = String(UInt64.random(in: .min ... .max), radix: 36)
    let path = folder.appending(AtomicFile.temporaryPrefix + number)
    file = OpenFile(
      owning: try path.call("open") {
        unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      })
    hidden = path
  }

  deinit { if let hidden { _ = try? hidden.call("unlink") { unsafe unlink($0) } } }

  /// nil where the file system has no such files, or they could not be given a name.
  private static func openUnnamed(in folder: RawPath) throws(FileFailure) -> Int32? {
    guard unsafe access("/proc/self/fd", X_OK) == 0 else { return nil }
    do {
      return try folder.call("open") { unsafe ck_open_unnamed($0, 0o666) }
    } catch let error where [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(error.errno.rawValue) {
      // Where the folder itself is missing the other way says so.
      return nil
    }
  }

  package func write(_ bytes: RawSpan) throws(FileFailure) {
    try file.write(bytes, folder.shown)
  }

  /// Copies what is left of a file.
  ///
  /// - Parameters:
  ///   - source: The file, open to read.
  ///   - path: Its path, for errors.
  ///   - goesOn: Asked before each piece of a few megabytes; where it says no, the copying ends.
  /// - Returns: Whether all was copied.
  /// - Throws: `FileFailure`.
  package func copy(
    _ source: borrowing OpenFile, _ path: String, while goesOn: () -> Bool
  ) throws(FileFailure) -> Bool {
    while goesOn() {
      let bytes = try source.read(4 << 20, path)
      guard bytes.byteCount > 0 else { return true }
      try file.write(bytes.bytes, folder.shown)
    }
    return false
  }

  /// Sets the time of the contents, in nanoseconds since 1970.
  package func setModified(_ nanoseconds: Int64) { file.setModified(nanoseconds) }

  /// Gives the file a name that nobody has, once it is on the disk.
  ///
  /// - Parameter candidates: Names, the best one first.
  /// - Returns: The file's path.
  /// - Throws: `FileFailure`, with `exists` where others have all of the names.
  package consuming func publish(
    _ candidates: some Sequence<String>
  ) throws(FileFailure) -> RawPath {
    try file.synchronize(folder.shown)
    for name in candidates {
      let path = folder.appending(name)
      do throws(FileFailure) {
        if let hidden {
          try RawFile.moveToFree(hidden, to: path)
        } else {
          let descriptor = file.rawDescriptor
          try path.call("linkat") { unsafe ck_name_open_file(descriptor, $0) }
        }
      } catch {
        guard error.errno == .exists else { throw error }
        continue
      }
      RawFile.synchronizeFolder(folder)
      return path
    }
    throw FileFailure(call: "link", path: folder.shown, errno: .exists)
  }
}

/// Calls on files by paths of any bytes.
package enum RawFile {
  /// Gives a file a path that nobody has; names of other files stay theirs.
  /// - Throws: `FileFailure`, with `exists` where somebody has it, `EXDEV` for another file system.
  package static func moveToFree(_ path: RawPath, to target: RawPath) throws(FileFailure) {
    do {
      try path.call("rename", to: target) { unsafe ck_rename_new(AT_FDCWD, $0, AT_FDCWD, $1) }
    } catch let error where [EINVAL, ENOSYS].contains(error.errno.rawValue) {
      // A file system that cannot do this in one step.
      try path.call("link", to: target) { unsafe link($0, $1) }
      try path.call("unlink") { unsafe unlink($0) }
    }
  }

  /// Takes a file's name away.
  package static func remove(_ path: RawPath) throws(FileFailure) {
    try path.call("unlink") { unsafe unlink($0) }
  }

  /// The folder that a path leads to, as the kernel names it; nil where there is none.
  package static func realFolder(_ path: RawPath) -> RawPath? {
    var real: RawPath?
    _ = try? path.call("realpath") { path -> Int32 in
      guard let found = unsafe realpath(path, nil) else { return -1 }
      defer { unsafe free(found) }
      let bytes = unsafe UnsafeRawBufferPointer(start: found, count: strlen(found))
      real = unsafe RawPath(bytes: [UInt8](bytes))
      return 0
    }
    return real
  }

  /// Makes the names in a folder survive a power loss, as far as its file system can.
  package static func synchronizeFolder(_ path: RawPath) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    guard let descriptor = try? path.call("open", { unsafe open($0, flags) }) else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }
}
