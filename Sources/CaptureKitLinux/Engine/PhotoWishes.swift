/// What a photo request asks for, as a value: the settings as they were when it was made.
struct PhotoWishes: Hashable, Sendable {
  static let largestThumbnail = 640
  static let largestPreview = 4096

  var codec = VideoCodecType.jpeg
  var quality: Double?
  var rotation = CapturePhotoSettings.Rotation.exif
  var timeout = Duration.seconds(5)
  var prioritization = CapturePhotoOutput.QualityPrioritization.balanced
  var maxDimensions: VideoDimensions?
  var burstCount = 1
  var bracket: [CaptureBracketedStillImageSettings] = []
  var thumbnail: VideoDimensions?
  var preview: VideoDimensions?
  var keepsPixels = false
  var flashMode = CaptureDevice.FlashMode.off

  /// How many photos are to come.
  var photoCount: Int { bracket.isEmpty ? max(1, burstCount) : bracket.count }

  /// What an output allows at most.
  struct Limits {
    var prioritization: CapturePhotoOutput.QualityPrioritization
    /// nil where the stream must not be interrupted.
    var dimensions: VideoDimensions?
    var burstCount: Int
    var bracketCount: Int
  }

  /// Why an output does not allow the wishes; nil where it does.
  func refusal(by limits: Limits) -> CaptureError? {
    if let refusal = codec.refusal { return refusal }
    if flashMode == .on {
      return CaptureError(
        .unsupportedSettings,
        "No camera has a flash here: use .off, .auto, or the device's torch where it has one.")
    }
    if prioritization > limits.prioritization {
      return CaptureError(
        .unsupportedSettings,
        "The photo's quality prioritization is above the output's maxPhotoQualityPrioritization: "
          + "raise that first.")
    }
    if let maxDimensions {
      guard let bound = limits.dimensions, maxDimensions.width <= bound.width,
        maxDimensions.height <= bound.height
      else {
        return CaptureError(
          .unsupportedSettings,
          "The photo may not be as large as \(maxDimensions): set the output's maxPhotoDimensions first."
        )
      }
      guard bracket.isEmpty else {
        return CaptureError(
          .unsupportedSettings, "A bracket is taken in the size that the camera streams in.")
      }
    }
    guard bracket.count <= limits.bracketCount, bracket.isEmpty || burstCount == 1 else {
      return CaptureError(
        .unsupportedSettings,
        "A bracket has at most \(limits.bracketCount) photos, and none of them is a burst.")
    }
    guard (1...limits.burstCount).contains(burstCount) else {
      return CaptureError(
        .unsupportedSettings,
        "A burst has 1 to \(limits.burstCount) photos, not \(burstCount).")
    }
    return nil
  }
}
