extension ImagePickerController {
  /// Where pictures and movies come from: Apple's `UIImagePickerController.SourceType`.
  public enum SourceType: Int, Hashable, Sendable, CaseIterable {
    /// All of the library.
    case photoLibrary = 0
    /// A camera.
    case camera = 1
    /// What lies directly in the library's own folders, where photos go that are added without an
    /// album: not what lies in albums.
    case savedPhotosAlbum = 2
  }

  /// Which camera is used: Apple's `UIImagePickerController.CameraDevice`.
  ///
  /// Where no camera of the machine says its position, as webcams do not, any camera is both.
  public enum CameraDevice: Int, Hashable, Sendable, CaseIterable {
    /// One that looks away from the user.
    case rear = 0
    /// One that looks at the user.
    case front = 1
  }

  /// What a camera is presented for: Apple's `UIImagePickerController.CameraCaptureMode`.
  public enum CameraCaptureMode: Int, Hashable, Sendable, CaseIterable {
    /// The largest pictures.
    case photo = 0
    /// Movies of ``ImagePickerController/videoQuality``.
    case video = 1
  }

  /// Whether the camera's light is used: Apple's `UIImagePickerController.CameraFlashMode`.
  ///
  /// The kernel knows no flash that goes off with a frame, so the torch shines while a picture is
  /// taken or a movie is recorded.
  public enum CameraFlashMode: Int, Hashable, Sendable, CaseIterable {
    /// It stays dark.
    case off = -1
    /// As the scene needs it; no camera here tells that, so it stays dark.
    case auto = 0
    /// It shines, where there is one.
    case on = 1
  }

  /// How movies of a camera are to be: Apple's `UIImagePickerController.QualityType`.
  public enum QualityType: Int, Hashable, Sendable, CaseIterable {
    /// The session's preset `high`, up to 1920×1080.
    case high = 0
    /// The session's preset `medium`, about 640×480.
    case medium = 1
    /// The session's preset `low`, about 320×240.
    case low = 2
    /// Exactly 640×480; a camera that does not have it gives `medium`.
    case type640x480 = 3
    /// Exactly 1280×720; a camera that does not have it gives `high`.
    case typeIFrame1280x720 = 4
    /// No camera here has 960×540: as `medium`.
    case typeIFrame960x540 = 5
  }
}
