extension ImageStore {
  /// What a store has done since it was made, and what it holds. Other processes' work is not in
  /// it.
  public struct Statistics: Hashable, Sendable {
    /// Pictures and thumbnails that were had from memory.
    public internal(set) var memoryHits: Int
    /// Requests for which memory had nothing.
    public internal(set) var memoryMisses: Int
    /// Pictures and thumbnails that had to leave memory for others, or because memory was short.
    public internal(set) var memoryEvictions: Int
    /// Pictures and thumbnails that are in memory now.
    public internal(set) var memoryCount: Int
    /// The bytes that they take, each counted with all of its pixels.
    public internal(set) var memoryByteCount: Int
    /// Pictures that were read from the disk and found whole.
    public internal(set) var diskHits: Int
    /// Requests for which the disk had nothing that is whole.
    public internal(set) var diskMisses: Int
    /// Bytes of pictures that were read from the disk.
    public internal(set) var bytesRead: Int
    /// Bytes of pictures that were written to the disk.
    public internal(set) var bytesWritten: Int
    /// Pictures whose files were deleted to keep a limit, or to make room on a full disk.
    public internal(set) var diskEvictions: Int
    /// Pictures and thumbnails that were not what had been written, and were not returned.
    public internal(set) var verificationFailures: Int

    init(_ memory: MemoryCacheStatistics, _ disk: DiskStatistics) {
      memoryHits = memory.hits
      memoryMisses = memory.misses
      memoryEvictions = memory.evictions
      memoryCount = memory.count
      memoryByteCount = memory.totalCost
      diskHits = disk.hits
      diskMisses = disk.misses
      bytesRead = disk.bytesRead
      bytesWritten = disk.bytesWritten
      diskEvictions = disk.evictions
      verificationFailures = disk.verificationFailures
    }
  }
}
