public import Foundation
import LinuxSystem

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
  let core: LibraryCore
  /// Where pictures and movies are put that are for no album.
  let places: [LibraryEntry.Kind: RawPath]
  let trash: Trash
  /// What waits for the disk runs here, beside Swift's own threads.
  let calls = DispatchQueue(label: "PhotoLibrary.calls", attributes: .concurrent)

  /// Opens the user's pictures and videos folders.
  ///
  /// These are what `$XDG_CONFIG_HOME/user-dirs.dirs` says (xdg-user-dirs), `~/Pictures` and
  /// `~/Videos` where it says nothing; a folder that it turns off, by naming the home folder, is
  /// left out. Reads that one small file.
  ///
  /// - Throws: ``LibraryError``, `noFolder` where both are turned off.
  public convenience init() throws(LibraryError) {
    try self.init(UserFolders(), cache: XDGDirectories().cacheOfProgram)
  }

  /// Opens folders.
  ///
  /// Nothing is waited for: the folders are read on a thread of its own, which lives as long as the
  /// library does.
  ///
  /// - Parameters:
  ///   - folders: The folders, with all that lies in them. What is added goes into the first one.
  ///     They may overlap: each file is listed once. One that is missing counts as empty.
  ///   - cacheDirectory: Where the index and the thumbnails are kept; nil for
  ///     `$XDG_CACHE_HOME/<program>`. All that is in it can be made anew; where it cannot be written
  ///     to, nothing is kept.
  /// - Throws: ``LibraryError``, `noFolder` where there is none, or an address is none of a folder.
  public convenience init(folders: [URL], cacheDirectory: URL? = nil) throws(LibraryError) {
    try self.init(
      folders: folders,
      cache: cacheDirectory.map { $0.absoluteURL.path } ?? XDGDirectories().cacheOfProgram)
  }

  convenience init(_ user: UserFolders, cache: String) throws(LibraryError) {
    let pictures = user.folder("PICTURES", usual: "Pictures")
    let videos = user.folder("VIDEOS", usual: "Videos")
    let urls = [pictures, videos].compactMap { $0 }.map {
      URL(filePath: $0, directoryHint: .isDirectory)
    }
    guard !urls.isEmpty else {
      throw LibraryError(
        .noFolder,
        "The pictures folder and the videos folder are turned off: name them in user-dirs.dirs, or "
          + "open a folder of your own.")
    }
    try self.init(
      folders: urls, cache: cache, pictures: pictures.map { RawPath($0) },
      movies: videos.map { RawPath($0) })
  }

  /// - Parameters:
  ///   - folders: The folders that are listed.
  ///   - cache: The cache's folder.
  ///   - pictures: Where new pictures go; nil for the first folder.
  ///   - movies: Where new movies go; nil for the first folder.
  ///   - trash: Where files go that nobody wants.
  ///   - limits: How much is listed.
  /// - Throws: ``LibraryError``, `noFolder`.
  init(
    folders: [URL], cache: String, pictures: RawPath? = nil, movies: RawPath? = nil,
    trash: Trash = Trash(), limits: FolderWalk.Limits = FolderWalk.Limits()
  ) throws(LibraryError) {
    var roots: [RawPath] = []
    for url in folders {
      guard let root = RawPath(url) else {
        throw LibraryError(.noFolder, "\(url) is no folder's address: name folders of files.")
      }
      if !roots.contains(root) { roots.append(root) }
    }
    guard let first = roots.first else {
      throw LibraryError(.noFolder, "A library needs a folder: name one.")
    }
    self.folders = folders
    self.trash = trash
    places = [.image: pictures ?? first, .movie: movies ?? first]
    core = LibraryCore(roots: roots, cache: cache, limits: limits)
    core.start()
  }

  deinit { core.stop() }

  /// Runs what waits for the disk where it holds nobody up.
  func perform<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      calls.async { continuation.resume(with: Result { try body() }) }
    }
  }
}
