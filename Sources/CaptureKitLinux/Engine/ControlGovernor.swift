/// An automatic control, and those that it governs: they can be set only while it leaves them
/// alone.
///
/// Drivers mark what is governed as inactive; some do not, and refuse it with EILSEQ, EINVAL or
/// EACCES, or take it without effect.
struct ControlGovernor: Sendable {
  let id: CaptureControl.ID
  let dependents: Set<CaptureControl.ID>
  /// The governor's values that leave them alone, the most wished first.
  let freeingValues: [Int64]
  /// Whether they are governed also where the driver does not mark them as inactive.
  let isCertain: Bool

  init(
    _ id: CaptureControl.ID, _ dependents: Set<CaptureControl.ID>, freedBy freeingValues: [Int64],
    isCertain: Bool = true
  ) {
    self.id = id
    self.dependents = dependents
    self.freeingValues = freeingValues
    self.isCertain = isCertain
  }

  static let all = [
    // 0 automatic, 1 manual, 2 manual time, 3 manual iris.
    ControlGovernor(.automaticExposure, [.exposureTime], freedBy: [1, 2]),
    ControlGovernor(.automaticExposure, [.iris], freedBy: [1, 3]),
    ControlGovernor(.automaticGain, [.gain, .analogueGain], freedBy: [0]),
    // Few cameras: with many the gain can be set while exposure is automatic.
    ControlGovernor(
      .automaticExposure, [.gain, .analogueGain], freedBy: [1, 2], isCertain: false),
    ControlGovernor(.automaticISOSensitivity, [.isoSensitivity], freedBy: [0]),
    ControlGovernor(.automaticFocus, [.focus, .focusStep], freedBy: [0]),
    ControlGovernor(
      .automaticWhiteBalance, [.whiteBalanceTemperature, .redBalance, .blueBalance], freedBy: [0]),
    ControlGovernor(
      .whiteBalancePreset, [.whiteBalanceTemperature, .redBalance, .blueBalance], freedBy: [0],
      isCertain: false),
    ControlGovernor(.automaticHue, [.hue], freedBy: [0]),
    ControlGovernor(.automaticBrightness, [.brightness], freedBy: [0]),
    ControlGovernor(.automaticChromaGain, [.chromaGain], freedBy: [0]),
    ControlGovernor(.flashMode, [.torchIntensity], freedBy: [2], isCertain: false),
  ]

  static func governing(_ id: CaptureControl.ID) -> [ControlGovernor] {
    all.filter { $0.dependents.contains(id) }
  }

  static func isGovernor(_ id: CaptureControl.ID) -> Bool { all.contains { $0.id == id } }

  /// Whether a control has to be freed before it is set, at the governor's value; nil where that
  /// cannot be read.
  func governs(_ control: CaptureControl, at value: Int64?) -> Bool {
    if let value, freeingValues.contains(value) { return false }
    return control.flags.contains(.inactive) || isCertain && value != nil
  }
}
