import Glibc

/// A folder that is kept open: what lies in it is found without the way from the root, and in this
/// folder also where it is moved, or another one takes its path.
///
/// The calls' `name` is a path that begins in the folder; `path` is what errors name.
package final class OpenFolder: Sendable {
  private let descriptor: Int32
  private let device: dev_t
  private let fileNumber: ino_t

  package init(_ path: String) throws(FileFailure) {
    let descriptor = try FileFailure.call("open", path) {
      unsafe path.withCString { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }
    var raw = stat()
    guard unsafe fstat(descriptor, &raw) == 0 else {
      let errno = Errno.current
      close(descriptor)
      throw FileFailure(call: "fstat", path: path, errno: errno)
    }
    (self.descriptor, device, fileNumber) = (descriptor, raw.st_dev, raw.st_ino)
  }

  deinit { close(descriptor) }

  /// Whether this is what has the path now.
  package func isAt(_ path: String) -> Bool {
    var raw = stat()
    guard unsafe path.withCString({ unsafe stat($0, &raw) }) == 0 else { return false }
    return raw.st_dev == device && raw.st_ino == fileNumber
  }

  /// Whether this folder lies in the one that has the path now.
  package func isIn(_ path: String) -> Bool {
    var (above, raw) = (stat(), stat())
    guard unsafe fstatat(descriptor, "..", &above, 0) == 0,
      unsafe path.withCString({ unsafe stat($0, &raw) }) == 0
    else { return false }
    return raw.st_dev == above.st_dev && raw.st_ino == above.st_ino
  }

  /// What a file is; links are not followed.
  /// - Returns: nil where nothing is there.
  package func status(of name: String, _ path: String) throws(FileFailure) -> FileStatus? {
    var raw = stat()
    do {
      try FileFailure.call("lstat", path) {
        unsafe name.withCString { unsafe fstatat(descriptor, $0, &raw, AT_SYMLINK_NOFOLLOW) }
      }
    } catch let error where error.errno == .noEntry {
      return nil
    }
    return FileStatus(raw)
  }

  /// Makes a file to write, of a name that is free.
  package func makeFile(
    _ name: String, permissions: UInt32, _ path: String
  ) throws(FileFailure) -> OpenFile {
    try OpenFile(
      name, in: descriptor, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions, path)
  }

  /// Opens a small file to read, and makes it where it is missing.
  package func shareFile(_ name: String, _ path: String) throws(FileFailure) -> OpenFile {
    try OpenFile(name, in: descriptor, O_RDONLY | O_CREAT | O_CLOEXEC, 0o666, path)
  }

  /// Gives a file another name, in the place of a file that has it.
  package func move(_ name: String, to target: String, _ path: String) throws(FileFailure) {
    try FileFailure.call("rename", path) {
      unsafe name.withCString { name in
        unsafe target.withCString { unsafe renameat(descriptor, name, descriptor, $0) }
      }
    }
  }

  /// Takes a file's name away, where that can be done.
  package func remove(_ name: String) {
    _ = unsafe name.withCString { unsafe unlinkat(descriptor, $0, 0) }
  }
}
