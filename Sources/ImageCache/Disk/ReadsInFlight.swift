import Synchronization

/// Knows which pictures are being read, so that none is returned that was deleted meanwhile.
final class ReadsInFlight: Sendable {
  private struct Entry {
    var readers = 0
    var deletions = 0
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// A read begins.
  /// - Returns: What its end has to say.
  func begin(_ name: String) -> Int {
    entries.withLock {
      $0[name, default: Entry()].readers += 1
      return $0[name]?.deletions ?? 0
    }
  }

  /// A read ends.
  /// - Returns: Whether its picture has not been deleted since it began.
  func end(_ name: String, since deletions: Int) -> Bool {
    entries.withLock { entries in
      guard var entry = entries[name] else { return true }
      entry.readers -= 1
      entries[name] = entry.readers == 0 ? nil : entry
      return entry.deletions == deletions
    }
  }

  /// A picture is gone; nil: all are.
  func noteDeletion(of name: String?) {
    entries.withLock { entries in
      for name in name.map({ [$0] }) ?? Array(entries.keys) {
        entries[name]?.deletions += 1
      }
    }
  }
}
