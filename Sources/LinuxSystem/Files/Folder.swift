import Glibc

/// Folders that files are put into.
package enum Folder {
  /// Makes a folder and those above it; one that exists is right.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - isPrivate: Whether new folders are the user's alone (0700), else the umask decides.
  /// - Throws: `FileFailure`, with `ENOTDIR` where a file has the folder's name.
  package static func make(_ path: String, isPrivate: Bool = false) throws(FileFailure) {
    // With a slash at its end a folder would count as lying in itself.
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let parent = AtomicFile.folder(of: path)
    do {
      try makeOne(path, isPrivate: isPrivate)
    } catch let error where error.errno == .noEntry && parent != path {
      try make(parent, isPrivate: isPrivate)
      try makeOne(path, isPrivate: isPrivate)
    }
  }

  /// Somebody else may make the folder at the same moment; that is right too.
  private static func makeOne(_ path: String, isPrivate: Bool) throws(FileFailure) {
    do {
      try FileFailure.check("mkdir", path) { unsafe mkdir(path, isPrivate ? 0o700 : 0o777) }
    } catch let error where error.errno == .exists {
      guard try AtomicFile.status(of: path)?.kind == S_IFDIR else {
        throw FileFailure(call: "mkdir", path: path, errno: Errno(rawValue: ENOTDIR))
      }
    }
  }
}
