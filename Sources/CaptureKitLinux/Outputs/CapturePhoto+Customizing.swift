public import Foundation
public import Imaging

/// Decides what a photo's file says of itself; Apple's
/// `AVCapturePhotoFileDataRepresentationCustomizer`.
///
/// ```swift
/// struct Anonymous: CapturePhotoFileDataRepresentationCustomizer {
///   func replacementMetadata(for photo: CapturePhoto) -> ImageMetadata? { nil }
/// }
/// let file = photo.fileDataRepresentation(with: Anonymous())
/// ```
public protocol CapturePhotoFileDataRepresentationCustomizer {
  /// What the file shall say in place of all that it says; by default what it says already, and
  /// then nothing is changed.
  ///
  /// - Parameter photo: The photo.
  /// - Returns: nil to say nothing: EXIF, XMP, IPTC and comments go. Of a photo that EXIF turns the
  ///   orientation stays, since it would be shown lying on its side.
  func replacementMetadata(for photo: CapturePhoto) -> ImageMetadata?

  /// What becomes of the small picture within the file; by default it stays.
  ///
  /// - Parameter photo: The photo.
  /// - Returns: A picture to replace it must be stored as the photo is, not upright.
  func replacementEmbeddedThumbnail(
    for photo: CapturePhoto
  ) -> JPEGPassthrough.ThumbnailChange
}

extension CapturePhotoFileDataRepresentationCustomizer {
  /// Leaves the metadata as it is.
  public func replacementMetadata(for photo: CapturePhoto) -> ImageMetadata? { photo.metadata }

  /// Leaves the thumbnail as it is.
  public func replacementEmbeddedThumbnail(
    for photo: CapturePhoto
  ) -> JPEGPassthrough.ThumbnailChange { .keeping }
}

extension CapturePhoto {
  /// The photo's JPEG file with what a customizer makes of its metadata and its thumbnail.
  ///
  /// The picture's data is byte for byte the photo's, and colour profiles stay.
  ///
  /// - Parameter customizer: Asked once, before this returns.
  /// - Returns: nil where there is no photo, and for HEIC, whose metadata is not changed.
  public func fileDataRepresentation(
    with customizer: some CapturePhotoFileDataRepresentationCustomizer
  ) -> Data? {
    try? customized(by: customizer)
  }

  /// Writes the photo's JPEG file with what a customizer makes of it: whole or not at all, as
  /// ``write(to:)``.
  ///
  /// - Parameters:
  ///   - url: Where to; the folder must be there.
  ///   - customizer: Asked once, before this returns.
  /// - Throws: ``CaptureError`` with the code `cannotWrite`, why there is no photo, or
  ///   `unsupportedFormat` for HEIC, whose metadata is not changed, and `cannotEncode` for metadata
  ///   that no file can hold.
  public func write(
    to url: URL, with customizer: some CapturePhotoFileDataRepresentationCustomizer
  ) throws {
    try Self.write(customized(by: customizer), to: url)
  }

  private func customized(
    by customizer: some CapturePhotoFileDataRepresentationCustomizer
  ) throws(CaptureError) -> Data {
    let data = try self.data
    guard data.starts(with: [0xFF, 0xD8]) else {
      throw CaptureError(
        .unsupportedFormat,
        "Only of a JPEG photo can the metadata be changed: take one, or write it as it is.")
    }
    let metadata = customizer.replacementMetadata(for: self)
    let change: JPEGPassthrough.MetadataChange =
      switch metadata {
      case nil: .stripping(self.metadata.orientation)
      case self.metadata: .merging(self.metadata)
      case let metadata?: .replacing(metadata)
      }
    do {
      return try JPEGPassthrough.changing(
        data.bytes, metadata: change,
        thumbnail: customizer.replacementEmbeddedThumbnail(for: self))
    } catch {
      throw CaptureError.wrapping(error)
    }
  }
}
