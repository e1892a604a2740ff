import Foundation
import Glibc
import LinuxSystem

/// A movie's file, open for reading: a regular file, and never one that makes anybody wait.
///
/// All who read the movie share it, each at a place of their own: what takes the file's name
/// meanwhile is not seen.
final class MovieInputFile: Sendable {
  let path: String
  /// Bytes that it had when it was opened.
  let byteCount: Int
  /// For reading at places; the bridge to libavformat does.
  let file: OpenFile

  /// Opens a file.
  ///
  /// - Throws: `.cannotRead` where the URL names no regular file, `.notPermitted`, and `.notAMovie`
  ///   for one that is empty.
  init(_ url: URL) throws(MovieError) {
    guard url.isFileURL else { throw .isNoFile(url) }
    path = url.path
    do throws(FileFailure) {
      guard !path.utf8.contains(0) else {
        throw FileFailure(call: "open", path: path, errno: .noEntry)
      }
      // Opening alone may start a device.
      guard let status = try FileStatus(behind: path) else {
        throw FileFailure(call: "open", path: path, errno: .noEntry)
      }
      guard status.isRegular else { throw Self.irregular(status, path) }
      let file = try OpenFile(reading: path)
      // What took the file's place in between, a pipe for instance, is not waited for.
      let opened = try file.status(path)
      guard opened.isRegular else { throw Self.irregular(opened, path) }
      byteCount = opened.byteCount
      self.file = file
    } catch {
      throw .cannotOpen(error)
    }
    guard byteCount > 0 else { throw .isEmpty(path) }
  }

  private static func irregular(_ status: FileStatus, _ path: String) -> FileFailure {
    FileFailure(call: "open", path: path, errno: status.isFolder ? .isFolder : .illegalSeek)
  }
}

extension Errno {
  /// What the kernel says of pipes that somebody wants to read elsewhere than where they stand.
  static let illegalSeek = Errno(rawValue: ESPIPE)
}
