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
      return try automatic(controls[.automaticExposure])
        + [CaptureControl.Setting(.exposureBias, .integer(Self.bias(bias, controls, camera)))]
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

  /// Switches exposure to automatic where it is a matter of choice.
  private func automatic(
    _ control: CaptureControl?
  ) throws(CaptureError) -> [CaptureControl.Setting] {
    let values: [Int64] = [0, 3]
    guard let control, let value = values.first(where: { control.accepts(.integer($0)) }) else {
      return []
    }
    return [CaptureControl.Setting(.automaticExposure, .integer(value))]
  }

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
    let thousandths = stops * 1000
    let offered: [(value: Int64, thousandths: Double)] =
      control.kind == .integerMenu
      ? control.menu.compactMap { item in item.number.map { (item.index, Double($0)) } }
      : [control.range.lowerBound, control.range.upperBound].map { ($0, Double($0)) }
    let numbers = offered.map(\.thousandths)
    guard let least = numbers.min(), let most = numbers.max(), (least...most).contains(thousandths)
    else {
      throw CaptureError(
        .invalidControlValue,
        "\(camera) cannot aim its automatic exposure \(stops) stops away: choose "
          + "\((numbers.min() ?? 0) / 1000) to \((numbers.max() ?? 0) / 1000).")
    }
    guard control.kind == .integerMenu else {
      return ControlScale.nearest(to: thousandths, in: control.range)
    }
    return offered.min { abs($0.thousandths - thousandths) < abs($1.thousandths - thousandths) }?
      .value ?? 0
  }
}
