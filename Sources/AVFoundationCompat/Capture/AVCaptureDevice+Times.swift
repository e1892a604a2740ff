public import CaptureKitLinux

// Members whose type is another in `CaptureKitLinux`. Where both modules are imported, hers are
// taken unless the type decides; where this one alone is, these are.

extension CaptureDevice {
  /// The shortest time between frames that the camera may take; `CMTime.invalid` where nobody has
  /// chosen one, and to reset it.
  ///
  /// What is refused changes nothing and is kept in `lastError`.
  @_disfavoredOverload
  public var activeVideoMinFrameDuration: CMTime {
    get { CMTime(shortestFrameDuration) }
    set { shortestFrameDuration = FrameDuration(nearestTo: newValue) }
  }

  /// The longest time between frames that the camera may take; otherwise as
  /// `activeVideoMinFrameDuration`.
  @_disfavoredOverload
  public var activeVideoMaxFrameDuration: CMTime {
    get { CMTime(longestFrameDuration) }
    set { longestFrameDuration = FrameDuration(nearestTo: newValue) }
  }

  /// The time of exposure; `CMTime.invalid` where the camera does not say.
  @_disfavoredOverload
  public var exposureDuration: CMTime { timeOfExposure.map { CMTime($0) } ?? .invalid }

  /// Fixes exposure; what is refused is kept in `lastError`, and the handler is not called.
  ///
  /// - Parameters:
  ///   - duration: The time of exposure.
  ///   - iso: The sensitivity.
  ///   - completionHandler: Called on the calling thread with the moment at which the camera was
  ///     told.
  public func setExposureModeCustom(
    duration: CMTime, iso: Float, completionHandler: ((CMTime) -> Void)?
  ) {
    setExposureModeCustom(
      duration: duration.isNumeric ? .nanoseconds(duration.nanoseconds) : .zero, iso: iso
    ) { (time: HostTime) in completionHandler?(CMTime(time)) }
  }

  /// Moves the lens and holds it there; what is refused is kept in `lastError`, and the handler is
  /// not called.
  ///
  /// - Parameters:
  ///   - lensPosition: From 0, nearest, to 1, farthest.
  ///   - completionHandler: Called on the calling thread with the moment at which the camera was
  ///     told.
  @_disfavoredOverload
  public func setFocusModeLocked(lensPosition: Float, completionHandler: ((CMTime) -> Void)?) {
    setFocusModeLocked(lensPosition: lensPosition) { (time: HostTime) in
      completionHandler?(CMTime(time))
    }
  }
}

extension FrameRateRange {
  /// The time between frames at the highest rate.
  @_disfavoredOverload
  public var minFrameDuration: CMTime { CMTime(frameDurations.lowerBound) }

  /// The time between frames at the lowest rate.
  @_disfavoredOverload
  public var maxFrameDuration: CMTime { CMTime(frameDurations.upperBound) }
}

extension FrameDuration {
  /// The fraction that a time is, or is nearest to; nil for one that is no number of seconds.
  ///
  /// Of zero and less it is the shortest there is, which no camera takes.
  init?(nearestTo time: CMTime) {
    guard time.isNumeric else { return nil }
    guard time.value > 0 else {
      self.init(numerator: 1, denominator: .max)
      return
    }
    if let numerator = UInt32(exactly: time.value) {
      self.init(numerator: numerator, denominator: UInt32(time.timescale))
    } else {
      let microseconds = min(max(time.seconds * 1_000_000, 1), Double(UInt32.max))
      self.init(numerator: UInt32(microseconds), denominator: 1_000_000)
    }
  }
}
