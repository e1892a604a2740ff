import CLinuxSystem
import Glibc

/// What lies in a folder.
package struct FolderEntry: Hashable, Sendable {
  package let name: String
  package let status: FileStatus

  package init(name: String, status: FileStatus) {
    self.name = name
    self.status = status
  }
}

extension Folder {
  /// The names in a folder, in no order, without `.` and `..`.
  package static func names(in path: String) throws(FileFailure) -> [String] {
    var names: [String] = []
    try forEachName(in: path) { _, name in names.append(name) }
    return names
  }

  /// The entries of a folder, in no order. What goes while they are read is left out.
  package static func entries(of path: String) throws(FileFailure) -> [FolderEntry] {
    var entries: [FolderEntry] = []
    try forEachName(in: path) { descriptor, name in
      var raw = stat()
      guard unsafe fstatat(descriptor, name, &raw, AT_SYMLINK_NOFOLLOW) == 0 else { return }
      entries.append(FolderEntry(name: name, status: FileStatus(raw)))
    }
    return entries
  }

  private static func forEachName(
    in path: String, _ body: (_ folder: Int32, _ name: String) -> Void
  ) throws(FileFailure) {
    guard let folder = unsafe path.withCString({ unsafe opendir($0) }) else {
      throw FileFailure(call: "opendir", path: path, errno: .current)
    }
    defer { unsafe closedir(folder) }
    let descriptor = unsafe dirfd(folder)
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { body(descriptor, name) }
    }
  }

  /// Makes the names in a folder survive a power loss.
  package static func synchronize(_ path: String) throws(FileFailure) {
    let descriptor = try FileFailure.call("open", path) {
      unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    defer { close(descriptor) }
    do {
      try FileFailure.call("fsync", path) { fsync(descriptor) }
    } catch let error where error.errno == .invalidArgument {
      // Some file systems have nothing to synchronize in a folder and say so.
    }
  }
}

/// Names of files, changed one by one.
package enum FileNames {
  /// Gives a file another name, in the place of a file that has it.
  package static func move(_ path: String, to target: String) throws(FileFailure) {
    try FileFailure.call("rename", target) {
      unsafe path.withCString { path in
        unsafe target.withCString { unsafe rename(path, $0) }
      }
    }
  }

  /// Gives a file a name that nobody has; names of other files stay theirs.
  /// - Throws: `FileFailure`, with `exists` where somebody has it.
  package static func moveToFree(_ path: String, to target: String) throws(FileFailure) {
    do {
      try FileFailure.call("link", target) {
        unsafe path.withCString { path in
          unsafe target.withCString { unsafe link(path, $0) }
        }
      }
    } catch let error
      where [EPERM, EOPNOTSUPP, ENOSYS].contains(error.errno.rawValue)
    {
      // A file system whose files have one name each.
      guard try FileStatus(ofFile: target) == nil else {
        throw FileFailure(call: "rename", path: target, errno: .exists)
      }
      return try move(path, to: target)
    }
    try remove(path)
  }

  /// Takes a file's name away.
  /// - Returns: false where there was none.
  @discardableResult
  package static func remove(_ path: String) throws(FileFailure) -> Bool {
    do {
      try FileFailure.call("unlink", path) { unsafe path.withCString { unsafe unlink($0) } }
      return true
    } catch let error where error.errno == .noEntry {
      return false
    }
  }

  /// Takes an empty folder away; another one stays.
  package static func removeFolder(_ path: String) { _ = unsafe rmdir(path) }

  /// Sets a file's time of last use to now and, where `contents` says so, the one of its contents.
  package static func touch(_ path: String, contents: Bool) {
    _ = unsafe ck_touch(path, contents ? 1 : 0)
  }
}
