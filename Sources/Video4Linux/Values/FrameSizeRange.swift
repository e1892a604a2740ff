/// A range of picture sizes, with the steps in which both directions grow.
package struct FrameSizeRange: Hashable, Sendable {
  package let minimum: FrameSize
  package let maximum: FrameSize
  /// How far neighbouring widths and heights are apart; never 0.
  package let step: FrameSize

  /// Puts what a driver says in order: ends that were exchanged, and a step of 0, which would
  /// never arrive.
  package init(minimum: FrameSize, maximum: FrameSize, step: FrameSize) {
    self.minimum = FrameSize(
      width: min(minimum.width, maximum.width), height: min(minimum.height, maximum.height))
    self.maximum = FrameSize(
      width: max(minimum.width, maximum.width), height: max(minimum.height, maximum.height))
    self.step = FrameSize(width: max(step.width, 1), height: max(step.height, 1))
  }

  /// The size of the range that differs least from `size`, in each direction.
  package func nearest(to size: FrameSize) -> FrameSize {
    FrameSize(
      width: Self.nearest(
        to: size.width, from: minimum.width, through: maximum.width, by: step.width),
      height: Self.nearest(
        to: size.height, from: minimum.height, through: maximum.height, by: step.height))
  }

  private static func nearest(
    to value: UInt32, from low: UInt32, through high: UInt32, by step: UInt32
  ) -> UInt32 {
    guard value > low else { return low }
    let lastStep = (high - low) / step
    let wanted = min(value, high) - low
    // Rounds half up; a sum in 32 bits could overflow.
    let nearestStep = UInt32(clamping: (UInt64(wanted) + UInt64(step) / 2) / UInt64(step))
    return low + min(nearestStep, lastStep) * step
  }
}
