/// The frame intervals of a pixel format at a size, in the way in which the driver describes them.
package enum FrameIntervals: Hashable, Sendable {
  /// Just these; empty where the driver does not say.
  case discrete([FrameInterval])
  /// From the shortest to the longest in steps; nil where the driver's step is none.
  case stepwise(ClosedRange<FrameInterval>, step: FrameInterval?)
  /// From the shortest to the longest.
  case continuous(ClosedRange<FrameInterval>)

  /// The shortest and the longest interval, or nil where the driver does not say.
  package var range: ClosedRange<FrameInterval>? {
    switch self {
    case .discrete(let intervals):
      guard let shortest = intervals.min(), let longest = intervals.max() else { return nil }
      return shortest...longest
    case .stepwise(let range, _), .continuous(let range):
      return range
    }
  }
}
