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
    guard let data = fileDataRepresentation() else { return nil }
    let metadata = customizer.replacementMetadata(for: self)
    let change: JPEGPassthrough.MetadataChange =
      switch metadata {
      case nil: .stripping(self.metadata.orientation)
      case self.metadata: .merging(self.metadata)
      case let metadata?: .replacing(metadata)
      }
    return try? JPEGPassthrough.changing(
      data.bytes, metadata: change,
      thumbnail: customizer.replacementEmbeddedThumbnail(for: self))
  }
}
