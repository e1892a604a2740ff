public import Foundation
public import Imaging

extension PhotoLibrary {
  /// A picture or a movie of the library: what is known of its file without opening it again.
  ///
  /// A value: it stays as it is while the file changes or goes. ``PhotoLibrary/changes`` tells when
  /// to ask anew.
  public struct Asset: Identifiable, Hashable, Sendable {
    /// Names the asset for as long as its file has its place: the file's path, percent-encoded, so
    /// that names of any bytes have one.
    public let id: String
    /// The file. Where its name is not UTF-8, use ``PhotoLibrary/image(of:)`` and
    /// ``PhotoLibrary/thumbnail(of:maxPixelSize:)``: Foundation cannot open such files.
    public let url: URL
    /// Whether it is a picture or a movie, by its content as soon as that has been looked at, by
    /// its name before.
    public let mediaType: PickerMediaType
    /// When it was taken: what a picture's metadata or a movie's container says, or, where ``isDateFromFile``, when the file
    /// was changed last.
    public let captureDate: Date
    /// Whether the file does not say when it was taken, or has not been asked yet.
    public let isDateFromFile: Bool
    /// Bytes of the file.
    public let byteCount: Int
    /// Columns and rows as shown; nil for movies, and for pictures that have not been looked at yet
    /// or that have ``trouble``.
    public let pixelSize: PixelSize?
    /// The album that it is in; nil directly within one of the library's folders.
    public let album: Album.ID?
    /// Why it cannot be shown: `unsupportedPicture` for one that is damaged or of an unknown kind,
    /// `tooLarge`, `notPermitted` or `cannotRead`; nil where nothing speaks against it. Only the
    /// file's beginning has been looked at.
    public let trouble: LibraryError.Code?
  }
}
