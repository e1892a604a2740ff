/// The frame durations that a user allows.
struct FrameDurationLimits: Hashable, Sendable {
  /// Nil: as short as the camera has them.
  var shortest: FrameDuration?
  /// Nil: as long as the camera has them.
  var longest: FrameDuration?

  var isUnlimited: Bool { shortest == nil && longest == nil }

  /// What is left of a range; nil where nothing is.
  func clamping(_ range: ClosedRange<FrameDuration>) -> ClosedRange<FrameDuration>? {
    let low = max(range.lowerBound, shortest ?? range.lowerBound)
    let high = min(range.upperBound, longest ?? range.upperBound)
    return low <= high ? low...high : nil
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
  /// The frame durations offered that a user allows, shortest first.
  func frameDurations(within limits: FrameDurationLimits) -> [ClosedRange<FrameDuration>] {
    limits.isUnlimited ? frameDurations : frameDurations.compactMap(limits.clamping)
  }

  /// Whether the format can be had within limits; a driver that says nothing promises none.
  func fits(_ limits: FrameDurationLimits) -> Bool {
    limits.isUnlimited || !frameDurations(within: limits).isEmpty
  }
}
