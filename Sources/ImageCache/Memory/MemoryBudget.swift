import LinuxSystem

/// How much memory a cache should take when nobody says: a quarter of what this process may use,
/// and one gibibyte at most.
///
/// What a process may use is the least of the machine's memory and the limits of the control groups
/// it is in: `memory.max` and `memory.high` of version 2, `memory.limit_in_bytes` of version 1, its
/// own group's and those of all groups around it. A container's limit is one of these.
public struct MemoryBudget: Hashable, Sendable {
  /// The default share is one part of so many.
  static let parts = 4
  /// The most by default: a cache that fills a large machine's memory helps nobody.
  static let most = 1 << 30

  /// What this process may use, in bytes; nil where nobody knows.
  public let available: Int?
  /// What a cache should take, in bytes.
  public let byteCount: Int

  init(available: Int?) {
    self.available = available
    // Where /proc is missing there is little of anything.
    let share = min((available ?? 1 << 28) / Self.parts, Self.most)
    // A group may be allowed nothing at all; a limit of 0 would be none.
    byteCount = max(1, share)
  }

  /// What holds now; reads a few files of the kernel each time.
  public static var current: MemoryBudget {
    MemoryBudget(available: UsableMemory().byteCount)
  }
}
