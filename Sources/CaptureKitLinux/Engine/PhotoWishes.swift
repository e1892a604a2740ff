/// What a photo request asks for, as a value: the settings as they were when it was made.
struct PhotoWishes: Hashable, Sendable {
  static let largestThumbnail = 640
  static let largestPreview = 4096

  var quality: Double?
  var rotation = CapturePhotoSettings.Rotation.exif
  var timeout = Duration.seconds(5)
  var prioritization = CapturePhotoOutput.QualityPrioritization.balanced
  var burstCount = 1
  var bracket: [CaptureBracketedStillImageSettings] = []
  var thumbnail: VideoDimensions?
  var preview: VideoDimensions?
  var keepsPixels = false

  /// How many photos are to come.
  var photoCount: Int { bracket.isEmpty ? max(1, burstCount) : bracket.count }

  /// What an output allows at most.
  struct Limits {
    var prioritization: CapturePhotoOutput.QualityPrioritization
    var burstCount: Int
    var bracketCount: Int
  }

  /// Why an output does not allow the wishes; nil where it does.
  func refusal(by limits: Limits) -> CaptureError? {
    if prioritization > limits.prioritization {
      return CaptureError(
        .unsupportedSettings,
        "The photo's quality prioritization is above the output's maxPhotoQualityPrioritization: "
          + "raise that first.")
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
