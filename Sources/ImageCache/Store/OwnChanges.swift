import Synchronization

/// What this store has lately made of pictures' files, to tell its own changes from others'.
final class OwnChanges: Sendable {
  /// Others' changes are told within a second; more than this are not made meanwhile, and
  /// whoever forgets one only reads a picture once more.
  private static let maximumCount = 4096

  private enum File: Hashable {
    case made(DiskStamp)
    case deleted
  }

  private let files = Mutex<[String: File]>([:])

  /// A picture was kept, or deleted where it has no stamp.
  func note(_ key: String, _ stamp: DiskStamp?) {
    files.withLock { files in
      if files.count >= Self.maximumCount { files = [:] }
      files[key] = stamp.map { .made($0) } ?? .deleted
    }
  }

  /// Whether a file is what this store has made of it.
  func has(_ key: String, _ stamp: DiskStamp?) -> Bool {
    files.withLock { $0[key] == stamp.map { .made($0) } ?? .deleted }
  }
}
