/// What a photo request asks for, as a value: the settings as they were when it was made.
struct PhotoWishes: Hashable, Sendable {
  static let largestThumbnail = 640
  static let largestPreview = 4096

  var quality: Double?
  var rotation = CapturePhotoSettings.Rotation.exif
  var timeout = Duration.seconds(5)
  var prioritization = CapturePhotoOutput.QualityPrioritization.balanced
  var burstCount = 1
  var thumbnail: VideoDimensions?
  var preview: VideoDimensions?
  var keepsPixels = false

  /// How many photos are to come.
  var photoCount: Int { max(1, burstCount) }

  /// What an output allows at most.
  struct Limits {
    var prioritization: CapturePhotoOutput.QualityPrioritization
    var burstCount: Int
  }

  /// Why an output does not allow the wishes; nil where it does.
  func refusal(by limits: Limits) -> CaptureError? {
    if prioritization > limits.prioritization {
      return CaptureError(
        .unsupportedSettings,
        "The photo's quality prioritization is above the output's maxPhotoQualityPrioritization: "
          + "raise that first.")
    }
    guard (1...limits.burstCount).contains(burstCount) else {
      return CaptureError(
        .unsupportedSettings,
        "A burst has 1 to \(limits.burstCount) photos, not \(burstCount).")
    }
    return nil
  }
}
