import Imaging

/// Copies of frames, handed out while the driver needs its own buffers itself.
///
/// So whoever keeps frames never keeps the camera from taking others. Past a bound there are no
/// more copies until some are let go of.
final class SpareFrames: Sendable {
  private let allowance = FrameAllowance(limit: 8)

  /// The frame in memory of its own; nil where too many are kept.
  func copy(_ frame: CapturedFrame) -> CapturedFrame? {
    allowance.ticket().map { frame.stored(in: frame.storage.copied(for: $0)) }
  }
}
