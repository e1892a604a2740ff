import CaptureKitLinux
import LinuxSystem

/// What the machine has. Calls that ask for cameras wait until the backends have answered, as
/// `CaptureDevice.default(for:)` does.
extension ImagePickerController {
  /// Whether a source has anything to present.
  ///
  /// - Parameter sourceType: The source.
  /// - Returns: For the camera, whether there is one that this program may open; for the others,
  ///   whether the user has a pictures or a videos folder, be it empty.
  public static func isSourceTypeAvailable(_ sourceType: SourceType) -> Bool {
    switch sourceType {
    case .camera: cameras.contains { $0.authorization == .authorized }
    case .photoLibrary, .savedPhotosAlbum: hasFolders
    }
  }

  /// What a source has.
  ///
  /// - Parameter sourceType: The source.
  /// - Returns: Pictures and movies; nil where the source is not available.
  public static func availableMediaTypes(for sourceType: SourceType) -> [PickerMediaType]? {
    isSourceTypeAvailable(sourceType) ? [.image, .movie] : nil
  }

  /// Whether there is a camera on a side that this program may open.
  ///
  /// - Parameter cameraDevice: The side; see ``CameraDevice`` for cameras that do not say theirs.
  /// - Returns: Whether there is one.
  public static func isCameraDeviceAvailable(_ cameraDevice: CameraDevice) -> Bool {
    camera(on: cameraDevice) != nil
  }

  /// What a camera can be presented for.
  ///
  /// - Parameter cameraDevice: The side.
  /// - Returns: Pictures and movies; nil where there is no such camera.
  public static func availableCaptureModes(
    for cameraDevice: CameraDevice
  ) -> [CameraCaptureMode]? {
    camera(on: cameraDevice) == nil ? nil : [.photo, .video]
  }

  /// Whether a camera has a light: a torch that shines while it takes a picture.
  ///
  /// - Parameter cameraDevice: The side.
  /// - Returns: Whether it has one; false where there is no such camera.
  public static func isFlashAvailable(for cameraDevice: CameraDevice) -> Bool {
    camera(on: cameraDevice)?.hasTorch ?? false
  }

  private static var hasFolders: Bool {
    let user = UserFolders()
    return user.folder("PICTURES", usual: "Pictures") != nil
      || user.folder("VIDEOS", usual: "Videos") != nil
  }

  private static var cameras: [CaptureDevice] {
    CaptureDevice.DiscoverySession(
      deviceTypes: [.builtInWideAngleCamera, .external], mediaType: .video,
      position: .unspecified
    ).devices
  }

  private static func camera(on side: CameraDevice) -> CaptureDevice? {
    let camera = PickerCameraChoice.choose(from: cameras, on: side)
    return camera?.authorization == .authorized ? camera : nil
  }
}
