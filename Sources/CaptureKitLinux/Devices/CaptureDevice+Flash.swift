extension CaptureDevice {
  /// Whether a photo is lit, as Apple's `AVCaptureDevice.FlashMode`.
  public enum FlashMode: Int, Hashable, Sendable, CaseIterable {
    /// No flash.
    case off = 0
    /// Always.
    case on = 1
    /// Where there is a flash and the scene is dark.
    case auto = 2
  }

  /// Whether the camera has a flash that goes off with a photo.
  ///
  /// - Note: Linux: always false. The kernel has no way to time one to a frame; a light that stays
  ///   on is a torch, see ``hasTorch``.
  public var hasFlash: Bool { false }

  /// Whether the flash can be used now; as ``hasFlash``.
  public var isFlashAvailable: Bool { hasFlash }
}

extension CapturePhotoOutput {
  /// What ``CapturePhotoSettings/flashMode`` may be for a certain effect: `off` alone, since no
  /// camera has a flash here.
  public var supportedFlashModes: [CaptureDevice.FlashMode] { [.off] }
}
