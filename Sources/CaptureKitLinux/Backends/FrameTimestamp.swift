/// When a frame was taken, and what its stamp is a stamp of.
///
/// Photos are chosen by it: a frame that was exposed before the photo was asked for is not the
/// photo.
public struct FrameTimestamp: Hashable, Sendable {
  /// What the stamp marks.
  public enum Reference: Hashable, Sendable {
    /// The start of the exposure (`V4L2_BUF_FLAG_TSTAMP_SRC_SOE`).
    case startOfExposure
    /// The arrival of the frame's last byte (`V4L2_BUF_FLAG_TSTAMP_SRC_EOF`).
    case endOfFrame
    /// No more than the moment when the frame was picked up; its exposure is some time before.
    case pickup
  }

  /// The moment on the host's clock.
  public let time: HostTime
  /// What the moment marks.
  public let reference: Reference

  /// Names a moment and what it marks.
  public init(_ time: HostTime, _ reference: Reference) {
    self.time = time
    self.reference = reference
  }
}
