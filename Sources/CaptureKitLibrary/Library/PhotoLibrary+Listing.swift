import Foundation
import LinuxSystem

extension PhotoLibrary {
  /// Pictures and movies, the newest first; those of the same moment by their paths.
  ///
  /// The first call after ``init(folders:cacheDirectory:)`` answers from the index of the last time.
  /// Where there is none it waits until the folders have been walked through; dates are those of the
  /// files then, and ``changes`` tells when they are known better.
  ///
  /// - Parameters:
  ///   - album: The album; nil for all of the library.
  ///   - mediaTypes: What is wanted.
  ///   - range: Which of them, counted from 0. Where there are fewer, fewer are returned.
  /// - Returns: The assets.
  /// - Throws: `CancellationError` where the task was cancelled first.
  public func assets(
    in album: Album? = nil, mediaTypes: Set<PickerMediaType> = .imagesAndMovies,
    range: Range<Int>
  ) async throws -> [Asset] {
    let (range, kinds) = (
      max(0, range.lowerBound)..<max(0, range.upperBound), Self.kinds(mediaTypes)
    )
    guard let folder = try folder(of: album) else { return [] }
    if core.catalog == nil, folder.isAll, let page = await core.earlyPage(range, kinds) {
      try Task.checkCancellation()
      return assets(page)
    }
    let page = try await core.readCatalog().page(range, in: folder.path, kinds)
    core.want(page)
    return assets(page)
  }

  /// How many there are.
  ///
  /// - Parameters:
  ///   - album: The album; nil for all of the library.
  ///   - mediaTypes: What is counted.
  /// - Returns: The count of what ``assets(in:mediaTypes:range:)`` has.
  /// - Throws: `CancellationError` where the task was cancelled first.
  public func assetCount(
    in album: Album? = nil, mediaTypes: Set<PickerMediaType> = .imagesAndMovies
  ) async throws -> Int {
    let kinds = Self.kinds(mediaTypes)
    guard let folder = try folder(of: album) else { return 0 }
    if core.catalog == nil, folder.isAll, let count = await core.earlyCount(kinds) {
      try Task.checkCancellation()
      return count
    }
    return try await core.readCatalog().count(in: folder.path, kinds)
  }

  /// The asset of a name, as it is now.
  ///
  /// - Parameter id: The name.
  /// - Returns: nil where the library has none of this name, or no longer.
  /// - Throws: `CancellationError` where the task was cancelled first.
  public func asset(withID id: Asset.ID) async throws -> Asset? {
    guard let path = RawPath(percentEncoded: id) else { return nil }
    return try await core.readCatalog()[path].flatMap { Asset($0, roots: core.roots) }
  }

  /// The folders within the library's folders, by their paths.
  ///
  /// - Returns: The albums, empty ones too.
  /// - Throws: `CancellationError` where the task was cancelled first.
  public func albums() async throws -> [Album] {
    try await core.readCatalog().folders().map { folder in
      Album(
        id: folder.path.percentEncoded, url: folder.path.url(isFolder: true),
        title: String(decoding: folder.path.name, as: UTF8.self), assetCount: folder.count,
        cover: folder.cover.flatMap { Asset($0, roots: core.roots) })
    }
  }

  /// Waits until the folders have been walked through and all files have been asked for their dates:
  /// the order is final then, but for what others do.
  ///
  /// - Throws: `CancellationError` where the task was cancelled first.
  public func settled() async throws { try await core.wait(for: .settled) }

  private static func kinds(_ types: Set<PickerMediaType>) -> Set<LibraryEntry.Kind> {
    Set([LibraryEntry.Kind.image, .movie].filter { $0.mediaType.map(types.contains) == true })
  }

  /// What is to be listed: everything, or a folder; nil for an album that has no path.
  private func folder(of album: Album?) throws -> (isAll: Bool, path: RawPath?)? {
    try Task.checkCancellation()
    guard let album else { return (true, nil) }
    return RawPath(percentEncoded: album.id).map { (false, $0) }
  }

  private func assets(_ page: [LibraryEntry]) -> [Asset] {
    page.compactMap { Asset($0, roots: core.roots) }
  }
}
