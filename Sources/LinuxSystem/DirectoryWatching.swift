/// What happened in a folder.
package struct DirectoryChanges: Hashable, Sendable {
  /// Entries that came, went, or changed their permissions.
  package var names: Set<String>
  /// Whether more happened than could be noted: anything may have changed.
  package var isIncomplete: Bool

  package init(_ names: Set<String> = [], isIncomplete: Bool = false) {
    self.names = names
    self.isIncomplete = isIncomplete
  }

  /// Takes note of what happened next.
  mutating func add(_ next: DirectoryChanges) {
    names.formUnion(next.names)
    if next.isIncomplete { isIncomplete = true }
  }
}

/// Waits for changes of a folder's entries. One thread waits; interrupting is for any.
package protocol DirectoryWatching: AnyObject, Sendable {
  /// CLOCK_MONOTONIC in nanoseconds, which deadlines are read on.
  var now: UInt64 { get }

  /// Waits until something changes; what has changed since the last call is returned at once.
  /// - Parameter deadline: When to give up; nil waits for ever.
  /// - Returns: Nothing where the time is up, or ``interrupt()`` was called.
  /// - Throws: Where the folder can be watched no longer: `noEntry` when it is gone.
  func wait(until deadline: UInt64?) throws(Errno) -> DirectoryChanges

  /// Makes a waiting call, or the next one, return at once. From any thread, at any time.
  func interrupt()
}
