import Glibc

/// Writes all bytes to where a file stands, however many the kernel takes at a time.
///
/// - Parameters:
///   - bytes: The bytes.
///   - descriptor: The file, open to write.
///   - path: Its path, or what errors are to name.
/// - Throws: `FileFailure`; a file that takes nothing more is a full disk.
func writeAll(
  _ bytes: RawSpan, to descriptor: Int32, at path: String
) throws(FileFailure) {
  var written = 0
  while written < bytes.byteCount {
    let rest = bytes.extracting(droppingFirst: written)
    let count = try FileFailure.call("write", path) {
      unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
    // POSIX lets write() take nothing; asking for ever would hang.
    guard count > 0 else { throw FileFailure(call: "write", path: path, errno: .noSpace) }
    written += count
  }
}
