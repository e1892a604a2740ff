extension ImageStore {
  /// How pictures are kept on the disk.
  public struct DiskOptions: Hashable, Sendable {
    /// What a picture survives from the moment on that the call which stored it has returned.
    public enum Durability: Hashable, Sendable {
      /// The end of the process, however it comes. A power loss may take the pictures of the last
      /// half minute; what is left of them is found damaged and never returned.
      case processCrash
      /// A power loss too. Each call waits for the disk, for milliseconds where that is slow.
      case powerLoss
    }

    /// What a picture survives; `powerLoss` unless it is set.
    ///
    /// A photo cannot be taken again. For pictures that can be had once more, those of a server
    /// for instance, `processCrash` is many times as fast.
    public var durability: Durability = .powerLoss

    /// The most bytes that the pictures, their thumbnails and what was set aside may have
    /// together; nil, as it is unless it is set, for no limit.
    ///
    /// Before a picture would exceed it those go that were not used for the longest time; of many
    /// pictures some more, until a twentieth is free. It is one limit for all stores and processes
    /// that use the folder, each of which should be given the same.
    public var maximumByteCount: Int?

    /// How long a picture is kept that nobody uses; nil, as it is unless it is set, for ever.
    public var maximumAge: Duration?

    /// Durable and without limits.
    public init() {}
  }
}
