import Imaging

extension CapturePhotoOutput {
  /// The codecs that ``CapturePhotoSettings/codec`` may be: JPEG always, HEVC where the package was
  /// built with its trait `HEIF` and libheif has an encoder for it.
  public var availablePhotoCodecTypes: [VideoCodecType] {
    HEIFEncoder.isAvailable ? [.jpeg, .hevc] : [.jpeg]
  }
}

extension VideoCodecType {
  /// Why no photo can be made with the codec; nil where one can.
  var refusal: CaptureError? {
    switch self {
    case .jpeg: nil
    case .hevc where HEIFEncoder.isAvailable: nil
    case .hevc:
      CaptureError(
        .unsupportedSettings,
        "No HEVC photos can be made: they need the package trait HEIF, and libheif with an encoder"
          + " (x265).")
    default: CaptureError(.unsupportedSettings, "No photos can be made with codec \(rawValue).")
    }
  }
}
