extension CaptureDevice {
  /// How focus is found, as Apple's `AVCaptureDevice.FocusMode`.
  public enum FocusMode: Int, Hashable, Sendable, CaseIterable {
    /// The lens stays where it is.
    case locked = 0
    /// Once, and stays then.
    case autoFocus = 1
    /// All the time.
    case continuousAutoFocus = 2
  }

  /// Whether the camera has a way of focusing.
  public func isFocusModeSupported(_ mode: FocusMode) -> Bool {
    switch mode {
    case .locked: canSet(.focus) || canSet(.automaticFocus)
    case .autoFocus: canSet(.startAutomaticFocus)
    case .continuousAutoFocus: canSet(.automaticFocus)
    }
  }

  /// How focus is found now; `locked` for a camera that has nothing automatic.
  ///
  /// Reading asks the camera. What is refused changes nothing and is kept in ``lastError``;
  /// ``setFocusMode(_:)`` throws it.
  public var focusMode: FocusMode {
    get { number(of: .automaticFocus).map { $0 != 0 } ?? false ? .continuousAutoFocus : .locked }
    set { keepingRefusal { try setFocusMode(newValue) } }
  }

  /// Changes how focus is found.
  ///
  /// - Parameter mode: `locked` keeps the lens where it is.
  /// - Throws: ``CaptureError``: `notLocked`, `unsupportedControl` where the camera cannot, and
  ///   what ``setValue(_:for:)`` throws.
  public func setFocusMode(_ mode: FocusMode) throws {
    try requireLock()
    guard isFocusModeSupported(mode) else {
      let what =
        switch mode {
        case .locked: "hold its focus"
        case .autoFocus: "focus just once"
        case .continuousAutoFocus: "focus by itself"
        }
      throw CaptureError.cannot(what, self)
    }
    switch mode {
    case .locked:
      if canSet(.focus) {
        try setFocusModeLocked()
      } else {
        try setValue(false, for: .automaticFocus)
      }
    case .autoFocus:
      // While it focuses all the time a camera need not hear of it.
      if canSet(.automaticFocus) { try setValue(false, for: .automaticFocus) }
      try setValue(1, for: .startAutomaticFocus)
    case .continuousAutoFocus:
      try setValue(true, for: .automaticFocus)
    }
  }

  /// Where the lens is: 0 nearest, 1 farthest; nil where the camera does not say.
  public var lensPosition: Float? {
    guard let control = control(.focus), let number = number(of: .focus) else { return nil }
    // The kernel counts towards the camera.
    return Float(1 - ControlScale.position(of: number, in: control.range))
  }

  /// Moves the lens and holds it there.
  ///
  /// - Parameter lensPosition: From 0, nearest, to 1, farthest; nil for where it is.
  /// - Throws: ``CaptureError``: `notLocked`, `unsupportedControl` where the lens cannot be moved,
  ///   `invalidControlValue` out of range, and what ``setValue(_:for:)`` throws.
  public func setFocusModeLocked(lensPosition: Float? = nil) throws {
    try requireLock()
    guard let control = control(.focus), control.isWritable else {
      throw CaptureError.cannot("move its lens", self)
    }
    if let lensPosition, !(0...1).contains(lensPosition) {
      throw CaptureError.outOfRange("has lens positions of 0 to 1, not \(lensPosition)", self)
    }
    // Where the camera says nothing, its last position by hand is as good as any.
    var settings: [CaptureControl.Setting] = []
    if canSet(.automaticFocus) { settings.append(CaptureControl.Setting(.automaticFocus, false)) }
    let wish = lensPosition.map { ControlScale.number(at: Double(1 - $0), in: control.range) }
    if let position = wish ?? number(of: .focus) {
      settings.append(CaptureControl.Setting(.focus, .integer(control.nearest(to: position))))
    }
    try setValues(settings)
  }

  /// Moves the lens and holds it there; what is refused is kept in ``lastError``, and the handler
  /// is not called.
  ///
  /// - Parameters:
  ///   - lensPosition: From 0, nearest, to 1, farthest.
  ///   - completionHandler: Called on the calling thread with the moment at which the camera was
  ///     told.
  public func setFocusModeLocked(
    lensPosition: Float, completionHandler: ((HostTime) -> Void)?
  ) {
    keepingRefusal {
      try setFocusModeLocked(lensPosition: lensPosition)
      completionHandler?(environment.clock.now)
    }
  }
}

// MARK: - What all of them need

extension CaptureDevice {
  /// A control's number; nil where the camera has none, or does not answer for it.
  func number(of id: CaptureControl.ID) -> Int64? { (try? value(of: id))?.number }

  /// Whether the camera has a control that can be set, if maybe not now.
  func canSet(_ id: CaptureControl.ID) -> Bool { control(id)?.isWritable ?? false }
}

extension CaptureError {
  /// The camera has no control for something.
  static func cannot(_ what: String, _ device: CaptureDevice) -> CaptureError {
    CaptureError(
      .unsupportedControl,
      "\(device.localizedName) cannot \(what): it has no control for it.")
  }

  static func outOfRange(_ what: String, _ device: CaptureDevice) -> CaptureError {
    CaptureError(.invalidControlValue, "\(device.localizedName) \(what).")
  }
}
