/// What SQLite refused.
package struct SQLiteFailure: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case busy, damaged, full, notPermitted, system, other }

  /// SQLite's extended result code.
  package var code: Int32
  package var message: String
  /// The kernel's error number, where one of its calls has failed.
  package var errno: Int32 = 0

  package init(code: Int32, message: String, errno: Int32 = 0) {
    self.code = code
    self.message = message
    self.errno = errno
  }
}
