extension CaptureDevice {
  /// How the colour of the light is found, as Apple's `AVCaptureDevice.WhiteBalanceMode`.
  public enum WhiteBalanceMode: Int, Hashable, Sendable, CaseIterable {
    /// It stays as it is.
    case locked = 0
    /// Once, and stays then.
    case autoWhiteBalance = 1
    /// All the time.
    case continuousAutoWhiteBalance = 2
  }

  /// Whether the camera has a way of balancing white.
  public func isWhiteBalanceModeSupported(_ mode: WhiteBalanceMode) -> Bool {
    switch mode {
    case .locked: canSet(.automaticWhiteBalance) || canSet(.whiteBalanceTemperature)
    case .autoWhiteBalance: canSet(.balanceWhiteOnce)
    case .continuousAutoWhiteBalance: canSet(.automaticWhiteBalance)
    }
  }

  /// How white is balanced now; `locked` for a camera that has nothing automatic.
  ///
  /// Reading asks the camera. What is refused changes nothing and is kept in ``lastError``;
  /// ``setWhiteBalanceMode(_:)`` throws it.
  public var whiteBalanceMode: WhiteBalanceMode {
    get {
      number(of: .automaticWhiteBalance).map { $0 != 0 } ?? false
        ? .continuousAutoWhiteBalance : .locked
    }
    set { keepingRefusal { try setWhiteBalanceMode(newValue) } }
  }

  /// Changes how white is balanced.
  ///
  /// - Parameter mode: `locked` keeps what the camera has found, as far as it tells it.
  /// - Throws: ``CaptureError``: `notLocked`, `unsupportedControl` where the camera cannot, and
  ///   what ``setValue(_:for:)`` throws.
  public func setWhiteBalanceMode(_ mode: WhiteBalanceMode) throws {
    try requireLock()
    guard isWhiteBalanceModeSupported(mode) else {
      let what =
        switch mode {
        case .locked: "hold its white balance"
        case .autoWhiteBalance: "balance white just once"
        case .continuousAutoWhiteBalance: "balance white by itself"
        }
      throw CaptureError.cannot(what, self)
    }
    switch mode {
    case .locked:
      if canSet(.whiteBalanceTemperature) {
        try setWhiteBalanceModeLocked()
      } else {
        try setValue(false, for: .automaticWhiteBalance)
      }
    case .autoWhiteBalance:
      if canSet(.automaticWhiteBalance) { try setValue(false, for: .automaticWhiteBalance) }
      try setValue(1, for: .balanceWhiteOnce)
    case .continuousAutoWhiteBalance:
      try setValue(true, for: .automaticWhiteBalance)
    }
  }

  /// The colour of the light that is taken for white, in kelvin; nil where the camera does not say.
  public var whiteBalanceTemperature: Float? {
    number(of: .whiteBalanceTemperature).map { Float($0) }
  }

  /// The lowest temperature that can be set, in kelvin; nil where none can.
  public var minWhiteBalanceTemperature: Float? {
    control(.whiteBalanceTemperature).map { Float($0.range.lowerBound) }
  }

  /// The highest temperature that can be set, in kelvin; nil where none can.
  public var maxWhiteBalanceTemperature: Float? {
    control(.whiteBalanceTemperature).map { Float($0.range.upperBound) }
  }

  /// Fixes white balance at a temperature.
  ///
  /// - Parameter temperature: In kelvin, low for warm light; the camera's nearest step is taken.
  ///   nil for what it is.
  /// - Throws: ``CaptureError``: `notLocked`, `unsupportedControl` where the camera has no
  ///   temperature, `invalidControlValue` out of range, and what ``setValue(_:for:)`` throws.
  public func setWhiteBalanceModeLocked(temperature: Float? = nil) throws {
    try requireLock()
    guard let control = control(.whiteBalanceTemperature), control.isWritable else {
      throw CaptureError.cannot("be told the light's temperature", self)
    }
    let range = control.range
    if let temperature, !(Float(range.lowerBound)...Float(range.upperBound)).contains(temperature) {
      throw CaptureError.outOfRange(
        "knows light of \(range.lowerBound) to \(range.upperBound) kelvin, not \(temperature)", self
      )
    }
    var settings: [CaptureControl.Setting] = []
    if canSet(.automaticWhiteBalance) {
      settings.append(CaptureControl.Setting(.automaticWhiteBalance, false))
    }
    let wish =
      temperature.map { ControlScale.nearest(to: Double($0), in: range) }
      ?? number(of: .whiteBalanceTemperature)
    if let wish {
      settings.append(
        CaptureControl.Setting(.whiteBalanceTemperature, .integer(control.nearest(to: wish))))
    }
    try setValues(settings)
  }
}
