import Synchronization

/// What this store has lately made of pictures' files, and which ones it has read, to tell others'
/// changes from what it knows.
final class SeenFiles: Sendable {
  /// Others' changes are told within a second; more than this are not made meanwhile, and
  /// whoever forgets one only reads a picture once more.
  private static let maximumCount = 4096

  private enum File: Hashable {
    case there(DiskStamp)
    case deleted
  }

  private let files = Mutex<[String: File]>([:])

  /// A picture was kept or read, or deleted where it has no stamp.
  func note(_ key: String, _ stamp: DiskStamp?) {
    files.withLock { files in
      if files.count >= Self.maximumCount { files = [:] }
      files[key] = stamp.map { .there($0) } ?? .deleted
    }
  }

  /// Whether a file is what this store knows of it.
  func has(_ key: String, _ stamp: DiskStamp?) -> Bool {
    files.withLock { $0[key] == stamp.map { .there($0) } ?? .deleted }
  }
}
