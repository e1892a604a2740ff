extension ImageStore {
  /// How much is kept in memory.
  public struct MemoryOptions: Sendable {
    /// The most bytes that pictures in memory may take, each counted with all of its pixels whether
    /// they have been decoded yet or not; 0 or less for none in memory, nil, as it is unless it is set, for
    /// ``MemoryBudget``'s share.
    public var maximumByteCount: Int?

    /// The most pictures and thumbnails in memory, 0 or less for none; nil, as it is unless it
    /// is set, for no such limit.
    public var maximumCount: Int?

    /// Says when memory becomes short: pictures leave it then. Nil for a store that keeps its
    /// pictures whatever happens.
    public var pressure: (any MemoryPressureSource)? = SystemMemoryPressure.shared

    /// ``MemoryBudget``'s share, and room for others when the system needs it.
    public init() {}
  }
}
