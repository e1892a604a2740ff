public import Foundation
public import Imaging

/// What a user has picked: a picture or a movie, and what was made of it.
public struct PickedMedia: Sendable {
  /// A picture or a movie.
  public let mediaType: PickerMediaType
  /// The picture with the bytes that it came in, the camera's own or those of the library's file;
  /// nil for a movie.
  public let originalImage: Image?
  /// The picture as it was edited, at its full resolution; nil where editing was not allowed, and
  /// for a movie.
  ///
  /// As with Apple's picker it is always there after the step of editing: the user who changed
  /// nothing gets the part that was shown, and the original itself where that is all of it.
  public internal(set) var editedImage: Image?
  /// How ``editedImage`` was made; nil where it is nil.
  public internal(set) var editingOutcome: ImageEditor.Outcome?
  /// The part that ``editedImage`` shows, in pixels of the original picture as it is shown, before
  /// it was turned; nil where that is nil.
  public internal(set) var cropRect: PixelRect?
  /// The movie's file; nil for a picture.
  ///
  /// Of a movie that was just recorded it is a file of the folder for temporary files, which
  /// belongs to whoever picked it: move it to where it is to stay, or remove it. Of one that was
  /// chosen it is the library's file, which is to be left alone.
  public let mediaURL: URL?
  /// The library's asset that was chosen; nil for what a camera took.
  public let asset: PhotoLibrary.Asset?
  /// What ended a recorded movie before it was asked to end: its longest duration, a full disk, a
  /// `MovieError`, or an unplugged camera, a `CaptureError`. What was recorded until then can be
  /// played. nil otherwise.
  public let recordingError: (any Error)?

  /// What the picture says of itself; nil for a movie.
  public var metadata: ImageMetadata? { originalImage?.metadata }

  /// The picture that is meant: the edited one, else the original; nil for a movie.
  public var image: Image? { editedImage ?? originalImage }

  init(picture: Image, asset: PhotoLibrary.Asset? = nil) {
    mediaType = .image
    originalImage = picture
    mediaURL = nil
    self.asset = asset
    recordingError = nil
  }

  init(movieAt url: URL, asset: PhotoLibrary.Asset? = nil, recordingError: (any Error)? = nil) {
    mediaType = .movie
    originalImage = nil
    mediaURL = url
    self.asset = asset
    self.recordingError = recordingError
  }

  /// The same with what was made of it.
  func edited(
    to image: Image, _ outcome: ImageEditor.Outcome, cropRect: PixelRect
  ) -> PickedMedia {
    var result = self
    result.editedImage = image
    result.editingOutcome = outcome
    result.cropRect = cropRect
    return result
  }
}
