/// How one photo of a bracket is exposed; as Apple's `AVCaptureBracketedStillImageSettings` and
/// those derived from it.
///
/// ```swift
/// let bracket = CapturePhotoSettings(bracketedSettings: [
///   .manualExposure(duration: .milliseconds(4)), .manualExposure(duration: .milliseconds(16)),
/// ])
/// ```
public enum CaptureBracketedStillImageSettings: Hashable, Sendable {
  /// Automatic exposure that aims lighter, or darker, by so many stops; few webcams can do that.
  case autoExposure(targetBias: Double)
  /// Exposure by hand. The duration is the time that the shutter is open, the gain is in the
  /// driver's own unit, as ``CaptureControl/ID/gain``; what is nil stays as it is.
  case manualExposure(duration: Duration? = nil, gain: Int64? = nil)
}

extension CaptureBracketedStillImageSettings {
  /// The controls that are set for it.
  ///
  /// - Parameters:
  ///   - controls: What the camera has of ``controlIDs``.
  ///   - camera: Its name, for sentences.
  /// - Returns: The settings; what governs others is switched where they are set.
  /// - Throws: `unsupportedControl`, `invalidControlValue`.
  func controlSettings(
    of controls: [CaptureControl.ID: CaptureControl], camera: String
  ) throws(CaptureError) -> [CaptureControl.Setting] {
    switch self {
    case .autoExposure(let bias):
      let automatic = ExposureChoices(controls[.automaticExposure]).automatic.map {
        CaptureControl.Setting(.automaticExposure, .integer($0))
      }
      let aim = try CaptureControl.Setting(
        .exposureBias, .integer(Self.bias(bias, controls, camera)))
      return [automatic, aim].compactMap(\.self)
    case .manualExposure(let duration, let gain):
      var settings: [CaptureControl.Setting] = []
      if let duration {
        settings.append(
          CaptureControl.Setting(
            .exposureTime, .integer(ControlScale.exposure(for: duration))))
      }
      if let gain { settings.append(CaptureControl.Setting(.gain, .integer(gain))) }
      return settings
    }
  }

  /// The controls that a bracket may change.
  static let controlIDs: [CaptureControl.ID] = [
    .automaticExposure, .automaticGain, .exposureTime, .gain, .exposureBias,
  ]

  /// The value of the control that is nearest to a bias in stops.
  private static func bias(
    _ stops: Double, _ controls: [CaptureControl.ID: CaptureControl], _ camera: String
  ) throws(CaptureError) -> Int64 {
    guard let control = controls[.exposureBias] else {
      throw CaptureError(
        .unsupportedControl,
        "\(camera) cannot aim its automatic exposure lighter or darker: take the bracket with manual "
          + "exposures.")
    }
    guard let value = control.value(forStops: Float(stops)) else {
      let offered = control.allStops
      throw CaptureError(
        .invalidControlValue,
        "\(camera) cannot aim its automatic exposure \(stops) stops away: choose "
          + "\(offered.first ?? 0) to \(offered.last ?? 0).")
    }
    return value
  }
}
