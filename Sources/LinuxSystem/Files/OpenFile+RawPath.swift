import CLinuxSystem
import Glibc

extension OpenFile {
  /// Opens a regular file to read; a link is refused, and nothing else is waited for.
  package init(reading path: RawPath) throws(FileFailure) {
    let descriptor = try path.call("open") {
      unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
    }
    var raw = stat()
    guard unsafe fstat(descriptor, &raw) == 0, raw.st_mode & S_IFMT == S_IFREG else {
      _ = Glibc.close(descriptor)
      throw FileFailure(call: "open", path: path.shown, errno: .invalidArgument)
    }
    self.init(owning: descriptor)
  }

  package func stamp(_ path: String) throws(FileFailure) -> FileStamp {
    var raw = stat()
    try FileFailure.call("fstat", path) { unsafe fstat(rawDescriptor, &raw) }
    return FileStamp(raw)
  }

  /// A path by which this process finds the file while it is open, whatever it is called: for
  /// libraries that want a path of text.
  package var pathWhileOpen: String { "/proc/self/fd/\(rawDescriptor)" }

  /// Sets the time of the contents, in nanoseconds since 1970, where the file system can hold it.
  package func setModified(_ nanoseconds: Int64) { _ = ck_set_modified(rawDescriptor, nanoseconds) }
}

extension OpenFile {
  /// The first bytes of a file; fewer than `count` where it ends before. Where the file stands does
  /// not change.
  package func beginning(_ count: Int, _ path: String) throws(FileFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let step = try FileFailure.call("pread", path) {
        unsafe bytes.withUnsafeMutableBytes { room in
          unsafe pread(
            rawDescriptor, room.baseAddress.map { unsafe $0 + filled }, count - filled,
            off_t(filled))
        }
      }
      if step == 0 { break }
      filled += step
    }
    return Array(bytes[..<filled])
  }
}
