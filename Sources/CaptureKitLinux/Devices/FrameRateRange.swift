/// Frame rates that a camera offers in a format, between two ends; Apple's `AVFrameRateRange`.
///
/// The durations are exact; the rates are for showing. One rate alone is a range of equal ends.
public struct FrameRateRange: Hashable, Sendable {
  /// The time between frames at the highest rate.
  public let minFrameDuration: FrameDuration
  /// The time between frames at the lowest rate.
  public let maxFrameDuration: FrameDuration

  /// Names the rates of a range of frame durations.
  public init(_ durations: ClosedRange<FrameDuration>) {
    self.init(from: durations.lowerBound, through: durations.upperBound)
  }

  /// Names two ends, the shorter one first.
  init(from shortest: FrameDuration, through longest: FrameDuration) {
    minFrameDuration = shortest
    maxFrameDuration = longest
  }

  /// The lowest rate in frames per second.
  public var minFrameRate: Double { maxFrameDuration.framesPerSecond }
  /// The highest rate in frames per second.
  public var maxFrameRate: Double { minFrameDuration.framesPerSecond }
}

// MARK: - CustomStringConvertible

extension FrameRateRange: CustomStringConvertible {
  /// The rates, lowest first: `5...30 fps`, or `30 fps`.
  public var description: String {
    let (low, high) = (minFrameDuration.rateText, maxFrameDuration.rateText)
    return low == high ? "\(low) fps" : "\(high)...\(low) fps"
  }
}

extension FrameDuration {
  /// The frames per second with at most two places: `30`, `29.97`.
  var rateText: String {
    let rounded = (framesPerSecond * 100).rounded() / 100
    return rounded == rounded.rounded() && rounded < 1e15 ? "\(Int(rounded))" : "\(rounded)"
  }
}
