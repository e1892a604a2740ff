/// The frame durations that a user allows.
struct FrameDurationLimits: Hashable, Sendable {
  /// Nil: as short as the camera has them.
  var shortest: FrameDuration?
  /// Nil: as long as the camera has them.
  var longest: FrameDuration?

  var isUnlimited: Bool { shortest == nil && longest == nil }

  /// What is left of a range; nil where nothing is.
  func clamping(_ range: FrameRateRange) -> FrameRateRange? {
    let low = max(range.minFrameDuration, shortest ?? range.minFrameDuration)
    let high = min(range.maxFrameDuration, longest ?? range.maxFrameDuration)
    return low <= high ? FrameRateRange(from: low, through: high) : nil
  }
}

// MARK: - CustomStringConvertible

extension FrameDurationLimits: CustomStringConvertible {
  var description: String {
    switch (shortest, longest) {
    case (let shortest?, let longest?):
      shortest == longest ? "of \(shortest)" : "between \(shortest) and \(longest)"
    case (let shortest?, nil): "of \(shortest) or more"
    case (nil, let longest?): "of \(longest) or less"
    case (nil, nil): "of any length"
    }
  }
}

extension CaptureDevice.Format {
  /// The frame rates offered that a user allows, highest first.
  func rates(within limits: FrameDurationLimits) -> [FrameRateRange] {
    limits.isUnlimited
      ? videoSupportedFrameRateRanges : videoSupportedFrameRateRanges.compactMap(limits.clamping)
  }

  /// Whether the format can be had within limits; a driver that says nothing promises none.
  func fits(_ limits: FrameDurationLimits) -> Bool {
    limits.isUnlimited || !rates(within: limits).isEmpty
  }
}
