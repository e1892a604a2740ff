/// What a photo will be like, or is; Apple's `AVCaptureResolvedPhotoSettings`.
///
/// Those of a finished photo say what it has become, ``CapturePhoto/resolvedSettings``: a camera
/// may send a picture of another size than was agreed.
public struct CaptureResolvedPhotoSettings: Hashable, Sendable {
  /// The ``CapturePhotoSettings/uniqueID`` of the settings.
  public let uniqueID: Int64
  /// The stored picture's size in pixels, before it is shown upright; zero where nothing is
  /// connected.
  public internal(set) var photoDimensions: VideoDimensions
  /// The stored size of the thumbnail within the file; zero where there is none, or before the
  /// photo is made.
  public internal(set) var embeddedThumbnailDimensions = VideoDimensions(width: 0, height: 0)
  /// The size of the photo's ``CapturePhoto/previewPixelBuffer``; zero as for the thumbnail.
  public internal(set) var previewDimensions = VideoDimensions(width: 0, height: 0)
  /// How many photos the request brings.
  public internal(set) var expectedPhotoCount = 1

  init(uniqueID: Int64, photoDimensions: VideoDimensions) {
    self.uniqueID = uniqueID
    self.photoDimensions = photoDimensions
  }
}
