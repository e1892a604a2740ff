import Synchronization

extension CaptureDevice {
  /// The shortest time between frames that the camera may take: its highest rate.
  ///
  /// What was set, else the chosen format's own; nil where neither is there, and the session then
  /// asks for the rate that its preset is for. It holds for ``activeFormat``, or for whatever
  /// format a preset chooses. A running session takes a change over when a configuration is next
  /// committed, for which its camera stops for a moment; what the driver has made of it is in
  /// ``CaptureConnection/format``.
  ///
  /// As on Apple's systems the device must be locked, and setting nil resets it. What is refused
  /// changes nothing and is kept in ``lastError``; ``setActiveVideoMinFrameDuration(_:)`` throws
  /// it.
  public var activeVideoMinFrameDuration: FrameDuration? {
    get {
      let (limits, choice) = formatState.withLock { ($0.limits, $0.choice) }
      return limits.shortest ?? choice?.format.minFrameDuration
    }
    set { keepingRefusal { try setActiveVideoMinFrameDuration(newValue) } }
  }

  /// The longest time between frames that the camera may take: its lowest rate.
  ///
  /// Otherwise as ``activeVideoMinFrameDuration``. A camera that lengthens its exposure in dim
  /// light may still deliver fewer frames.
  public var activeVideoMaxFrameDuration: FrameDuration? {
    get {
      let (limits, choice) = formatState.withLock { ($0.limits, $0.choice) }
      return limits.longest ?? choice?.format.maxFrameDuration
    }
    set { keepingRefusal { try setActiveVideoMaxFrameDuration(newValue) } }
  }

  /// Sets ``activeVideoMinFrameDuration``.
  ///
  /// - Parameter duration: Not shorter than the format's shortest. A longest duration that is
  ///   shorter than this becomes the same. Nil resets it.
  /// - Throws: ``CaptureError`` with the code `notLocked`, or `unsupportedFormat` where the format
  ///   offers no duration within the two.
  public func setActiveVideoMinFrameDuration(_ duration: FrameDuration?) throws {
    try changeLimits { limits in
      limits.shortest = duration
      if let duration, let longest = limits.longest { limits.longest = max(longest, duration) }
    }
  }

  /// Sets ``activeVideoMaxFrameDuration``.
  ///
  /// - Parameter duration: Not longer than the format's longest. A shortest duration that is longer
  ///   than this becomes the same. Nil resets it.
  /// - Throws: ``CaptureError`` with the code `notLocked`, or `unsupportedFormat` where the format
  ///   offers no duration within the two.
  public func setActiveVideoMaxFrameDuration(_ duration: FrameDuration?) throws {
    try changeLimits { limits in
      limits.longest = duration
      if let duration, let shortest = limits.shortest { limits.shortest = min(shortest, duration) }
    }
  }

  var frameDurationLimits: FrameDurationLimits { formatState.withLock { $0.limits } }

  private func changeLimits(_ change: (inout FrameDurationLimits) -> Void) throws {
    try requireLock()
    var (limits, choice) = formatState.withLock { ($0.limits, $0.choice) }
    change(&limits)
    let formats = try choice.map { [$0.format] } ?? loadFormats()
    guard limits.isUnlimited || formats.contains(where: { $0.fits(limits) }) else {
      throw CaptureError(.unsupportedFormat, sentence(refusing: limits, by: formats))
    }
    formatState.withLock { $0.limits = limits }
  }

  private func sentence(refusing limits: FrameDurationLimits, by formats: [Format]) -> String {
    let durations = formats.flatMap(\.frameDurations)
    guard let shortest = durations.map(\.lowerBound).min(),
      let longest = durations.map(\.upperBound).max()
    else { return "\(localizedName) does not let its frame rate be set." }
    return "\(localizedName) has no frame duration \(limits): it offers \(shortest) to \(longest)"
      + (formats.count == 1 ? " in \(formats[0])." : ".")
  }
}
