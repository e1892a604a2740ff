import LinuxSystem

extension PhotoLibrary {
  /// Puts a file into the user's trash, where any file manager can restore it from
  /// (freedesktop.org's Trash specification 1.0). It is never deleted.
  ///
  /// - Parameter asset: A picture or a movie of the library.
  /// - Throws: ``LibraryError``: `cannotTrash` where its disk has no trash and none can be made,
  ///   `notPermitted`, `noAsset` where the file is gone, `outsideLibrary`. The file is where it was
  ///   then.
  public func trash(_ asset: Asset) async throws {
    try Task.checkCancellation()
    let path = try path(of: asset)
    guard let root = root(of: path) else {
      throw LibraryError(.outsideLibrary, "\(path.shown) does not lie in a folder of the library.")
    }
    try await perform {
      do throws(TrashFailure) {
        try self.trash.put(path, within: root)
      } catch {
        throw LibraryError(error, of: path)
      }
      self.core.remove(path)
    }
  }
}

extension LibraryError {
  init(_ trashing: TrashFailure, of path: RawPath) {
    let failure = trashing.failure
    let reason = failure.explanation
    switch trashing {
    case .gone:
      self.init(.noAsset, "There is no file \(path.shown) any more.", errno: failure.errno.rawValue)
    case .hidden:
      self.init(
        .notPermitted, "\(path.shown) cannot be put into the trash: \(reason)",
        errno: failure.errno.rawValue)
    case .refused:
      self.init(
        .cannotTrash, "\(path.shown) cannot be put into the trash, and stays: \(reason)",
        errno: failure.errno.rawValue)
    }
  }
}
