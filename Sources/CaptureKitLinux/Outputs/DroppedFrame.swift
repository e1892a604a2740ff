/// What is left of frames that were dropped: most often of one, or of several in a row.
public struct DroppedFrame: Hashable, Sendable {
  /// Why they were dropped.
  public let reason: FrameDropReason
  /// How many there were.
  public let count: UInt64
  /// When the last of them was taken; nil where they never came here.
  public let presentationTime: HostTime?

  /// Names a reason, a moment and how many frames it met.
  public init(
    _ reason: FrameDropReason, count: UInt64 = 1, at presentationTime: HostTime? = nil
  ) {
    self.reason = reason
    self.count = count
    self.presentationTime = presentationTime
  }
}
