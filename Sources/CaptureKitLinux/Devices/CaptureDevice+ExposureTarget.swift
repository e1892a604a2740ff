extension CaptureDevice {
  /// How many stops lighter than usual automatic exposure aims; 0 where the camera has no control
  /// of it.
  public var exposureTargetBias: Float {
    guard let control = control(.exposureBias), let number = number(of: control.id) else {
      return 0
    }
    return control.stops(at: number) ?? 0
  }

  /// The lowest ``exposureTargetBias``, in stops.
  public var minExposureTargetBias: Float {
    control(.exposureBias).flatMap { $0.allStops.first } ?? 0
  }

  /// The highest ``exposureTargetBias``, in stops.
  public var maxExposureTargetBias: Float {
    control(.exposureBias).flatMap { $0.allStops.last } ?? 0
  }

  /// Lets automatic exposure aim lighter or darker.
  ///
  /// - Parameter bias: In stops; the camera's nearest is taken.
  /// - Throws: ``CaptureError``: `notLocked`, `unsupportedControl` where the camera has no control
  ///   of it, `invalidControlValue` out of range, and what ``setValue(_:for:)`` throws.
  public func setExposureTargetBias(_ bias: Float) throws {
    try requireLock()
    guard let control = control(.exposureBias), let lowest = control.allStops.first,
      let highest = control.allStops.last
    else { throw CaptureError.cannot("expose lighter or darker than usual", self) }
    guard let value = control.value(forStops: bias) else {
      throw CaptureError.outOfRange(
        "has biases of \(lowest) to \(highest) stops, not \(bias)", self)
    }
    try setValue(.integer(value), for: .exposureBias)
  }
}

// MARK: - Frame rate

extension CaptureDevice {
  /// Whether the camera can make frames longer where it is dark, ``isAutoVideoFrameRateEnabled``.
  public var isAutoVideoFrameRateSupported: Bool {
    control(.exposureMayLowerFrameRate)?.isWritable ?? false
  }

  /// Whether the camera may make frames longer where it is dark, and so deliver fewer than asked
  /// for.
  ///
  /// This is why many webcams give 15 frames a second in the evening. What is refused changes
  /// nothing and is kept in ``lastError``; ``setAutoVideoFrameRateEnabled(_:)`` throws it.
  public var isAutoVideoFrameRateEnabled: Bool {
    get { number(of: .exposureMayLowerFrameRate).map { $0 != 0 } ?? false }
    set { keepingRefusal { try setAutoVideoFrameRateEnabled(newValue) } }
  }

  /// Lets the camera make frames longer where it is dark, or not.
  ///
  /// - Throws: ``CaptureError``: `notLocked`, `unsupportedControl`, and what ``setValue(_:for:)``
  ///   throws.
  public func setAutoVideoFrameRateEnabled(_ isEnabled: Bool) throws {
    try requireLock()
    guard isAutoVideoFrameRateSupported else {
      throw CaptureError.cannot("choose between brightness and frame rate", self)
    }
    try setValue(.integer(isEnabled ? 1 : 0), for: .exposureMayLowerFrameRate)
  }
}
