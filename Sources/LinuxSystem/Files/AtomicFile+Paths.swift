import Glibc

extension AtomicFile {
  /// What a write has to know of the file that it replaces.
  struct Status {
    var kind: mode_t
    var permissions: mode_t
    var owner: uid_t
    var group: gid_t
  }

  /// Follows links; nil where nothing is there.
  static func status(of path: String) throws(FileFailure) -> Status? {
    var raw = stat()
    do {
      try FileFailure.check("stat", path) { unsafe stat(path, &raw) }
    } catch let error where error.errno == .noEntry {
      return nil
    }
    return Status(
      kind: raw.st_mode & S_IFMT, permissions: raw.st_mode & 0o777, owner: raw.st_uid,
      group: raw.st_gid)
  }

  /// The path behind a chain of symbolic links; the last one may not exist yet.
  package static func followingLinks(_ path: String) throws(FileFailure) -> String {
    var path = path
    // The kernel's own bound on a chain is 40.
    for _ in 0...40 {
      guard let target = try linkTarget(of: path) else { return path }
      path = target.utf8.first == UInt8(ascii: "/") ? target : joined(folder(of: path), target)
    }
    throw FileFailure(call: "readlink", path: path, errno: Errno(rawValue: ELOOP))
  }

  /// nil for what is no link or does not exist.
  private static func linkTarget(of path: String) throws(FileFailure) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    do {
      let count = try FileFailure.check("readlink", path) {
        unsafe readlink(path, &target, target.count)
      }
      return String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    } catch let error where error.errno == .invalidArgument || error.errno == .noEntry {
      return nil
    }
  }

  /// The path of the running executable.
  static var executable: String? { try? linkTarget(of: "/proc/self/exe") }

  /// The folder that a path's last part lies in.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  package static func joined(_ folder: String, _ name: String) -> String {
    folder == "/" ? "/" + name : folder + "/" + name
  }
}
