extension CaptureDevice {
  /// How the torch shines, as Apple's `AVCaptureDevice.TorchMode`.
  public enum TorchMode: Int, Hashable, Sendable, CaseIterable {
    /// It is dark.
    case off = 0
    /// It shines.
    case on = 1
    /// As the scene needs it; cameras on Linux do not have it.
    case auto = 2
  }

  /// Whether the camera has a light that can shine all the time.
  public var hasTorch: Bool { control(.flashMode)?.accepts(.integer(Self.torch)) ?? false }

  /// Whether the torch can be switched now.
  public var isTorchAvailable: Bool {
    guard hasTorch, let control = control(.flashMode) else { return false }
    return control.isWritable && control.flags.isDisjoint(with: [.grabbed, .inactive])
  }

  /// Whether the torch shines.
  public var isTorchActive: Bool { number(of: .flashMode) == Self.torch }

  /// Whether the camera's torch has a mode.
  public func isTorchModeSupported(_ mode: TorchMode) -> Bool { mode != .auto && hasTorch }

  /// Whether the torch is on.
  ///
  /// Reading asks the camera. What is refused changes nothing and is kept in ``lastError``;
  /// ``setTorchMode(_:)`` throws it.
  public var torchMode: TorchMode {
    get { isTorchActive ? .on : .off }
    set { keepingRefusal { try setTorchMode(newValue) } }
  }

  /// Switches the torch.
  ///
  /// - Throws: ``CaptureError``: `notLocked`, `unsupportedControl` where the camera has no torch,
  ///   or none that is automatic, and what ``setValue(_:for:)`` throws.
  public func setTorchMode(_ mode: TorchMode) throws {
    try requireLock()
    guard isTorchModeSupported(mode) else {
      throw CaptureError.cannot(
        mode == .auto && hasTorch ? "switch its torch by itself" : "shine", self)
    }
    try setValue(.integer(mode == .on ? Self.torch : 0), for: .flashMode)
  }

  /// How bright the torch is, from 0 to 1; 0 while it is off.
  public var torchLevel: Float {
    guard isTorchActive else { return 0 }
    guard let control = control(.torchIntensity), let number = number(of: control.id) else {
      return 1
    }
    return Float(ControlScale.position(of: number, in: control.range))
  }

  /// Switches the torch on.
  ///
  /// - Parameter level: How bright, above 0 and up to 1; the camera's nearest step is taken. Of no
  ///   effect on a torch of one brightness.
  /// - Throws: ``CaptureError``: `notLocked`, `unsupportedControl` where the camera has no torch,
  ///   `invalidControlValue` out of range, and what ``setValue(_:for:)`` throws.
  public func setTorchModeOn(level: Float) throws {
    try requireLock()
    guard hasTorch else { throw CaptureError.cannot("shine", self) }
    guard level > 0, level <= 1 else {
      throw CaptureError.outOfRange("has torch levels above 0 and up to 1, not \(level)", self)
    }
    var settings = [CaptureControl.Setting(.flashMode, .integer(Self.torch))]
    if let control = control(.torchIntensity), control.isWritable {
      let number = ControlScale.number(at: Double(level), in: control.range)
      settings.append(
        CaptureControl.Setting(.torchIntensity, .integer(control.nearest(to: number))))
    }
    try setValues(settings)
  }

  private static let torch: Int64 = 2
}
