import Glibc

/// What stat(2) says of a file.
package struct FileStatus: Hashable, Sendable {
  package let isRegular: Bool
  package let isFolder: Bool
  package let permissions: UInt32
  package let byteCount: Int
  /// No two files have the same at the same time; a new one may get that of one that is gone.
  package let fileNumber: UInt64
  /// When it was last used, as far as the file system notes that; nanoseconds since 1970.
  package let accessed: Int64
  /// When its contents changed; nanoseconds since 1970.
  package let modified: Int64

  init(_ raw: stat) {
    isRegular = raw.st_mode & S_IFMT == S_IFREG
    isFolder = raw.st_mode & S_IFMT == S_IFDIR
    permissions = raw.st_mode & 0o777
    byteCount = Int(raw.st_size)
    fileNumber = UInt64(raw.st_ino)
    accessed = Self.nanoseconds(raw.st_atim)
    modified = Self.nanoseconds(raw.st_mtim)
  }

  /// Asks about the file at `path`; links are not followed.
  /// - Returns: nil where nothing is there.
  package init?(ofFile path: String) throws(FileFailure) {
    var raw = stat()
    do {
      try FileFailure.call("lstat", path) {
        unsafe path.withCString { unsafe lstat($0, &raw) }
      }
    } catch let error where error.errno == .noEntry {
      return nil
    }
    self.init(raw)
  }

  /// Asks about the file behind the links at `path`.
  /// - Returns: nil where nothing is there.
  package init?(behind path: String) throws(FileFailure) {
    var raw = stat()
    do {
      try FileFailure.call("stat", path) { unsafe path.withCString { unsafe stat($0, &raw) } }
    } catch let error where error.errno == .noEntry {
      return nil
    }
    self.init(raw)
  }

  /// Times beyond the year 2262, which a damaged file system may claim, are the last that there is.
  static func nanoseconds(_ time: timespec) -> Int64 {
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return time.tv_sec < 0 ? .min : .max }
    let (sum, isTooMuch) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    return isTooMuch ? .max : sum
  }
}
