extension CaptureDevice {
  /// How exposure is found, as Apple's `AVCaptureDevice.ExposureMode`.
  public enum ExposureMode: Int, Hashable, Sendable, CaseIterable {
    /// It stays as it is.
    case locked = 0
    /// Once, and stays then; cameras on Linux do not have it.
    case autoExpose = 1
    /// All the time.
    case continuousAutoExposure = 2
    /// It is what was chosen with ``CaptureDevice/setExposureModeCustom(duration:iso:)``.
    case custom = 3
  }

  /// Whether the camera has a way of exposing.
  public func isExposureModeSupported(_ mode: ExposureMode) -> Bool {
    let choices = ExposureChoices(control(.automaticExposure))
    return switch mode {
    case .autoExpose: false
    case .continuousAutoExposure: choices.automatic != nil
    case .locked: hasExposureLock || canFixExposure(choices)
    case .custom: canFixExposure(choices)
    }
  }

  /// How exposure is found now; `locked` for a camera that has nothing automatic.
  ///
  /// Reading asks the camera. What is refused changes nothing and is kept in ``lastError``;
  /// ``setExposureMode(_:)`` throws it.
  public var exposureMode: ExposureMode {
    get {
      if let locks = number(of: .lock3A), locks & Self.exposureLock != 0 { return .locked }
      if let mode = number(of: .automaticExposure), ExposureChoices.isAutomatic(mode) {
        return .continuousAutoExposure
      }
      return isExposureCustom ? .custom : .locked
    }
    set { keepingRefusal { try setExposureMode(newValue) } }
  }

  /// Changes how exposure is found.
  ///
  /// - Parameter mode: `locked` and `custom` keep the exposure that the camera has now.
  /// - Throws: ``CaptureError``: `notLocked`, `unsupportedControl` where the camera cannot, and
  ///   what ``setValue(_:for:)`` throws.
  public func setExposureMode(_ mode: ExposureMode) throws {
    try requireLock()
    switch mode {
    case .autoExpose: throw CaptureError.cannot("expose just once", self)
    case .continuousAutoExposure:
      guard let automatic = ExposureChoices(control(.automaticExposure)).automatic else {
        throw CaptureError.cannot("expose automatically", self)
      }
      try setExposureLock(false)
      try setValue(.integer(automatic), for: .automaticExposure)
    case .locked where hasExposureLock:
      try setExposureLock(true)
    case .locked:
      try fixExposure(duration: nil, iso: nil)
      isExposureCustom = false
    case .custom:
      try setExposureModeCustom()
    }
  }

  /// Fixes exposure at values.
  ///
  /// - Parameters:
  ///   - duration: How long light is collected, from ``minExposureDuration`` to
  ///     ``maxExposureDuration``, to 100 microseconds; nil keeps it as it is.
  ///   - iso: From ``minISO`` to ``maxISO``; nil keeps it as it is.
  /// - Throws: ``CaptureError``: `notLocked`, `unsupportedControl` where the camera cannot,
  ///   `invalidControlValue` out of range, and what ``setValue(_:for:)`` throws.
  public func setExposureModeCustom(duration: Duration? = nil, iso: Float? = nil) throws {
    try requireLock()
    try fixExposure(duration: duration, iso: iso)
    isExposureCustom = true
  }

  /// Fixes exposure at values; what is refused is kept in ``lastError``, and the handler is not
  /// called.
  ///
  /// - Parameters:
  ///   - duration: How long light is collected.
  ///   - iso: The sensitivity.
  ///   - completionHandler: Called on the calling thread with the moment from which the camera has
  ///     the values; frames that it exposes later show them.
  public func setExposureModeCustom(
    duration: Duration, iso: Float, completionHandler: ((HostTime) -> Void)?
  ) {
    keepingRefusal {
      try setExposureModeCustom(duration: duration, iso: iso)
      completionHandler?(environment.clock.now)
    }
  }
}

// MARK: - Time

extension CaptureDevice {
  /// How long the camera collects light; nil where it does not say. With automatic exposure this is
  /// what the camera has found, if it tells.
  public var exposureDuration: Duration? {
    number(of: .exposureTime).map(ControlScale.duration)
  }

  /// The shortest exposure; nil where the camera has no control of it.
  public var minExposureDuration: Duration? {
    control(.exposureTime).map { ControlScale.duration(ofExposure: max(1, $0.range.lowerBound)) }
  }

  /// The longest exposure; nil where the camera has no control of it. It may depend on the frame
  /// duration: ask again after a change of the format.
  public var maxExposureDuration: Duration? {
    control(.exposureTime).map { ControlScale.duration(ofExposure: $0.range.upperBound) }
  }
}

// MARK: - Sensitivity

extension CaptureDevice {
  /// How sensitive the sensor is; nil where the camera does not say.
  ///
  /// - Note: Linux: an ISO number where the camera has one. Most webcams have a gain only, which is
  ///   then given here in the driver's own unit, with ``minISO`` and ``maxISO`` around it.
  public var iso: Float? {
    guard let control = sensitivity, let number = number(of: control.id) else { return nil }
    return control.iso(at: number)
  }

  /// The lowest value of ``iso``; nil where the camera has no control of it.
  public var minISO: Float? { sensitivity.flatMap { $0.isoValues.first } }

  /// The highest value of ``iso``; nil where the camera has no control of it.
  public var maxISO: Float? { sensitivity.flatMap { $0.isoValues.last } }

  private var sensitivity: CaptureControl? {
    control(.isoSensitivity) ?? control(.gain) ?? control(.analogueGain)
  }
}

extension CaptureControl {
  /// An ISO number for a menu of them, else the number itself.
  fileprivate func iso(at number: Int64) -> Float? {
    guard kind == .integerMenu else { return Float(number) }
    return menu.first { $0.index == number }?.number.map { Float($0) / 1000 }
  }

  /// All of a menu, or the ends of a range, lowest first.
  fileprivate var isoValues: [Float] {
    guard kind == .integerMenu else { return [Float(range.lowerBound), Float(range.upperBound)] }
    return menu.compactMap(\.number).map { Float($0) / 1000 }.sorted()
  }

  /// The value nearest to a wish; nil out of range.
  fileprivate func setting(forISO iso: Float) -> Setting? {
    guard let lowest = isoValues.first, let highest = isoValues.last, iso >= lowest, iso <= highest
    else { return nil }
    guard kind == .integerMenu else {
      return Setting(id, .integer(ControlScale.nearest(to: Double(iso), in: range)))
    }
    let nearest = menu.min { one, other in
      abs(Float(one.number ?? .max) / 1000 - iso) < abs(Float(other.number ?? .max) / 1000 - iso)
    }
    return nearest.map { Setting(id, .integer($0.index)) }
  }
}

// MARK: - Fixing it

extension CaptureDevice {
  private static let exposureLock: Int64 = 1

  private var hasExposureLock: Bool {
    guard let lock = control(.lock3A), lock.isWritable else { return false }
    return lock.accepts(.integer(Self.exposureLock))
  }

  private func setExposureLock(_ isLocked: Bool) throws {
    guard hasExposureLock, let locks = number(of: .lock3A) else { return }
    let wish = isLocked ? locks | Self.exposureLock : locks & ~Self.exposureLock
    if wish != locks { try setValue(.integer(wish), for: .lock3A) }
  }

  private func canFixExposure(_ choices: ExposureChoices) -> Bool {
    guard let time = control(.exposureTime), time.isWritable else { return false }
    return choices.manual != nil || choices.automatic == nil
  }

  /// Sets what is given, and what is not given to what it is while exposure is still automatic: a
  /// camera would go back to its last manual values otherwise.
  private func fixExposure(duration: Duration?, iso: Float?) throws {
    let choices = ExposureChoices(control(.automaticExposure))
    guard let time = control(.exposureTime), canFixExposure(choices) else {
      throw CaptureError.cannot("hold its exposure", self)
    }
    var settings: [CaptureControl.Setting] = []
    if let manual = choices.manual {
      settings.append(CaptureControl.Setting(.automaticExposure, .integer(manual)))
    }
    if let duration {
      let units = ControlScale.exposure(for: duration)
      guard duration > .zero, time.range.contains(units) else {
        throw CaptureError.outOfRange(
          "exposes for \(ControlScale.duration(ofExposure: time.range.lowerBound)) to "
            + "\(ControlScale.duration(ofExposure: time.range.upperBound)), not \(duration)", self)
      }
      settings.append(CaptureControl.Setting(.exposureTime, .integer(units)))
    } else if let now = number(of: .exposureTime), time.accepts(.integer(now)) {
      settings.append(CaptureControl.Setting(.exposureTime, .integer(now)))
    }
    if let iso {
      guard let sensitivity, sensitivity.isWritable else {
        throw CaptureError.cannot("set its sensitivity", self)
      }
      guard let setting = sensitivity.setting(forISO: iso) else {
        throw CaptureError.outOfRange(
          "has sensitivities of \(minISO ?? 0) to \(maxISO ?? 0), not \(iso)", self)
      }
      settings.append(setting)
    } else if let sensitivity, sensitivity.isWritable, let now = number(of: sensitivity.id),
      sensitivity.accepts(.integer(now))
    {
      settings.append(CaptureControl.Setting(sensitivity.id, .integer(now)))
    }
    try setExposureLock(false)
    try setValues(settings)
  }
}
