import Synchronization

/// What this store has lately made of pictures' files, and which ones it has read, to tell others'
/// changes from what it knows.
final class SeenFiles: Sendable {
  /// As many of the latest are known at least, and twice as many at most. Others' changes are told
  /// within a second; whoever forgets one only reads a picture once more.
  private static let generationCount = 4096

  private enum File: Hashable {
    case there(DiskStamp)
    case deleted
  }

  private struct Files {
    var latest: [String: File] = [:]
    var before: [String: File] = [:]
  }

  private let files = Mutex(Files())

  /// A picture was kept or read, or deleted where it has no stamp.
  func note(_ key: String, _ stamp: DiskStamp?) {
    files.withLock { files in
      if files.latest.count >= Self.generationCount {
        files.before = files.latest
        files.latest = [:]
      }
      files.latest[key] = stamp.map { .there($0) } ?? .deleted
    }
  }

  /// Whether a file is what this store knows of it.
  func has(_ key: String, _ stamp: DiskStamp?) -> Bool {
    files.withLock { files in
      (files.latest[key] ?? files.before[key]) == stamp.map { .there($0) } ?? .deleted
    }
  }
}
