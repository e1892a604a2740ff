import Synchronization

/// Watches a folder by reading it now and then, where the system has no better way left.
///
/// It needs no descriptor while it waits, since those may be what is missing.
package final class DirectoryPoll: DirectoryWatching {
  private struct Mark: Equatable {
    var file: UInt64
    var owner: UInt32
    var group: UInt32
    var permissions: UInt32
    var modified: Int64
  }

  private let folder: String
  private let interval: UInt64
  private let contents: Bool
  private let matches: @Sendable (String) -> Bool
  private let wake = WakeSemaphore()
  private let marks: Mutex<[String: Mark]>

  /// Begins to watch: changes from now on are not lost, unless they are undone within an interval.
  /// - Parameters:
  ///   - folder: The folder's path; need not be there yet.
  ///   - nanoseconds: The time from one reading to the next.
  ///   - contents: Whether new contents of files count too.
  ///   - matches: Which names count; the others are not looked at.
  package init(
    folder: String, every nanoseconds: UInt64 = 2_000_000_000, contents: Bool = false,
    matching matches: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    self.folder = folder
    interval = nanoseconds
    self.contents = contents
    self.matches = matches
    marks = Mutex(Self.marks(in: folder, contents: contents, matching: matches))
  }

  package var now: UInt64 { LinuxKernel().monotonicNanoseconds() }

  package func wait(until deadline: UInt64?) throws(Errno) -> DirectoryChanges {
    if wake.wait(until: min(now + interval, deadline ?? .max)) { return DirectoryChanges() }
    let marks = Self.marks(in: folder, contents: contents, matching: matches)
    let earlier = self.marks.withLock { earlier in
      defer { earlier = marks }
      return earlier
    }
    let names = Set(marks.keys).union(earlier.keys).filter { marks[$0] != earlier[$0] }
    return DirectoryChanges(names)
  }

  package func interrupt() { wake.signal() }

  private static func marks(
    in folder: String, contents: Bool, matching matches: (String) -> Bool
  ) -> [String: Mark] {
    var marks: [String: Mark] = [:]
    for name in FileTree.names(in: folder) where matches(name) {
      guard let status = try? NodeStatus(ofNode: "\(folder)/\(name)") else { continue }
      marks[name] = Mark(
        file: status.fileNumber, owner: status.ownerID, group: status.groupID,
        permissions: status.permissions, modified: contents ? status.modified : 0)
    }
    return marks
  }
}
