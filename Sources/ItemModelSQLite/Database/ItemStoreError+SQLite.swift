import ItemModel
import LinuxSystem
import SQLiteAccess

extension ItemStoreError {
  /// - Parameters:
  ///   - failure: What SQLite refused.
  ///   - what: The beginning of a sentence: what could not be done. The file's path follows.
  ///   - path: The database.
  init(_ failure: SQLiteFailure, doing what: String, at path: String) {
    switch failure.kind {
    case .full:
      self.init(FileFailure(call: "write", path: path, errno: .noSpace), doing: what)
    case .system where failure.errno != 0:
      let errno = Errno(rawValue: failure.errno)
      self.init(FileFailure(call: "SQLite", path: path, errno: errno), doing: what)
    case .notPermitted:
      self.init(
        .notPermitted,
        "\(what) at \(path): \(failure.message); make the file and its folder writable")
    case .busy:
      self.init(.busy, "\(what) at \(path): another program has locked the database for too long")
    case .damaged:
      self.init(.damaged, "\(what) at \(path): \(failure.message) (SQLite \(failure.code))")
    case .system, .other:
      self.init(.failed, "\(what) at \(path): \(failure.message) (SQLite \(failure.code))")
    }
  }
}
