public import Foundation
public import Imaging
import LinuxSystem

extension PhotoLibrary {
  /// The file of an asset.
  ///
  /// - Parameter asset: A picture or a movie.
  /// - Returns: Its ``Asset/url``.
  public func url(of asset: Asset) -> URL { asset.url }

  /// A picture; its pixels are decoded when somebody asks for them. Blocks as long as the disk
  /// takes; ``loadImage(of:)`` suspends instead.
  ///
  /// - Parameter asset: A picture of the library.
  /// - Returns: The picture, with the bytes of its file.
  /// - Throws: ``LibraryError``: `noAsset` where the file is gone, `outsideLibrary`, `notPermitted`,
  ///   `cannotRead`, `tooLarge`, `unsupportedPicture` for a damaged one and one of a kind that
  ///   cannot be read, `unsupportedMediaType` for a movie.
  public func image(of asset: Asset) throws(LibraryError) -> Image {
    let path = try path(of: asset)
    guard asset.mediaType == .image else {
      throw LibraryError(
        .unsupportedMediaType,
        "\(path.shown) is a movie: open it with MovieReader, or ask for a "
          + "thumbnail.")
    }
    return try PictureReading.with(path) { url throws(ImagingError) in try Image(contentsOf: url) }
  }

  /// As ``image(of:)``.
  ///
  /// - Parameter asset: A picture of the library.
  /// - Returns: The picture, with the bytes of its file.
  /// - Throws: ``LibraryError`` as ``image(of:)``, or `CancellationError` where the task was
  ///   cancelled first.
  public func loadImage(of asset: Asset) async throws -> Image {
    try Task.checkCancellation()
    return try await perform { try self.image(of: asset) }
  }

  /// A small picture, upright; of a movie, its poster.
  ///
  /// Made once and kept in the cache for as long as the file stays as it is. Those who ask for the
  /// same one share the work; what nobody waits for any more is not begun.
  ///
  /// - Parameters:
  ///   - asset: A picture or a movie of the library.
  ///   - maxPixelSize: The longer side in pixels, 1 at least. A picture that has fewer keeps its
  ///     size.
  /// - Returns: The small picture.
  /// - Throws: ``LibraryError`` as ``image(of:)``, or `CancellationError` where the task was
  ///   cancelled first.
  public func thumbnail(of asset: Asset, maxPixelSize: Int) async throws -> Image {
    guard maxPixelSize >= 1 else {
      throw LibraryError(
        .unsupportedPicture, "A thumbnail of \(maxPixelSize) pixels cannot be made: 1 at least.")
    }
    try Task.checkCancellation()
    let path = try path(of: asset)
    let stamp = try await perform { try Self.stamp(of: path) }
    return try await core.thumbnails.thumbnail(
      ThumbnailRequest(
        path: path, stamp: stamp, isMovie: asset.mediaType == .movie, maxPixelSize: maxPixelSize))
  }

  /// The path of an asset, which anybody may have made up: only what lies in the library is
  /// answered.
  func path(of asset: Asset) throws(LibraryError) -> RawPath {
    guard let path = RawPath(percentEncoded: asset.id), root(of: path) != nil else {
      throw LibraryError(
        .outsideLibrary, "\(asset.url.path) does not lie in a folder of the library.")
    }
    return path
  }

  /// The folder of the library that a path lies in; nil for others.
  func root(of path: RawPath) -> RawPath? {
    core.roots.first { path.parts(within: $0) != nil }
  }

  private static func stamp(of path: RawPath) throws(LibraryError) -> FileStamp {
    let stamp: FileStamp?
    do throws(FileFailure) {
      stamp = try FileStamp(ofFile: path)
    } catch {
      throw LibraryError(error, reading: path)
    }
    guard let stamp else {
      throw LibraryError(.noAsset, "There is no file \(path.shown) any more.")
    }
    return stamp
  }
}
