/// How urgently memory is needed, and so what caches should do.
public enum MemoryPressureLevel: Int, Comparable, CaseIterable, Hashable, Sendable {
  /// Memory becomes short: half of what is cached goes, what was used least first.
  case trim = 1
  /// Memory is short: all that is cached in memory goes.
  case flush
  /// Processes stand still for want of memory, or will be ended for it: as `flush`, and what this
  /// process has freed goes back to the system.
  case flushAndGiveBack

  /// Whether a level is less urgent than another.
  ///
  /// - Parameters:
  ///   - one: A level.
  ///   - other: Another.
  /// - Returns: Whether the first asks for less.
  public static func < (one: MemoryPressureLevel, other: MemoryPressureLevel) -> Bool {
    one.rawValue < other.rawValue
  }
}
