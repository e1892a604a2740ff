import Foundation
import LinuxSystem
import Synchronization

/// What a power loss, or a process that was killed, leaves of a save.
package final class Leftovers: Sendable {
  private let isSwept = Mutex(false)

  package init() {}

  /// Takes unfinished files away, the first time that it is called.
  ///
  /// - Parameter folder: A folder that something was just saved in.
  package func sweep(_ folder: String) {
    let isDone = isSwept.withLock { isSwept in
      defer { isSwept = true }
      return isSwept
    }
    guard !isDone else { return }
    Self.sweep(folder)
  }

  /// Takes away what is called as an unfinished file is, and was not written to for an hour: a save
  /// that is under way writes all the time.
  package static func sweep(_ folder: String) {
    let now = Int64(Date().timeIntervalSince1970 * 1e9)
    guard let names = try? Folder.names(in: folder) else { return }
    for name in names where name.hasPrefix(AtomicFile.temporaryPrefix) {
      let path = AtomicFile.joined(folder, name)
      guard let status = try? FileStatus(ofFile: path), status.isRegular,
        status.modified < now - 3_600_000_000_000
      else { continue }
      // Somebody else's file stays, and so does one that another process sweeps just now.
      _ = try? FileNames.remove(path)
    }
  }
}
