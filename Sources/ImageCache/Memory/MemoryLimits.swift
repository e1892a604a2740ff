/// How much a cache may hold.
struct MemoryLimits: Hashable, Sendable {
  /// The sum of costs; nil for no limit.
  var cost: Int?
  /// The number of entries; nil for no limit.
  var count: Int?

  /// Whether an entry of this cost fits where there is no other.
  func allow(_ cost: Int) -> Bool { cost <= self.cost ?? .max && count ?? 1 > 0 }

  /// Reads a limit as `NSCache` means it, where 0 and less is none.
  static func limit(_ number: Int) -> Int? { number > 0 ? number : nil }
}
