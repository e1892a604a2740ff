/// What a memory cache holds, and how often it could help.
public struct MemoryCacheStatistics: Hashable, Sendable {
  /// Requests that found a value.
  public internal(set) var hits: Int
  /// Requests that found none.
  public internal(set) var misses: Int
  /// Values thrown out for a limit, or because memory was short.
  public internal(set) var evictions: Int
  /// Values that are there now.
  public internal(set) var count: Int
  /// The sum of their costs; bytes, where the costs are.
  public internal(set) var totalCost: Int
}
