extension PhotoLibrary {
  /// What is different since the change before.
  ///
  /// Positions move with every insertion, removal, and update of a date: ask for the pages that are
  /// shown anew.
  public struct Change: Hashable, Sendable {
    /// Assets that came.
    public var inserted: Set<Asset.ID> = []
    /// Assets that went: deleted, moved elsewhere, or in the trash.
    public var removed: Set<Asset.ID> = []
    /// Assets that are known better, a date read from EXIF for one, or whose file has changed.
    public var updated: Set<Asset.ID> = []
    /// Whether more has changed than is listed, albums too: everything is to be asked for anew. The
    /// sets are empty then.
    public var isReload: Bool = false

    /// Nothing is different.
    public init() {}
  }
}
