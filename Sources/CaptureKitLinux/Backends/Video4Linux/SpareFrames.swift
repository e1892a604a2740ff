import Synchronization

/// Copies of frames, handed out while the driver needs its own buffers itself.
///
/// So whoever keeps frames never keeps the camera from taking others. Past a bound there are no
/// more copies until some are let go of.
final class SpareFrames: Sendable {
  private static let limit = 8
  private let count = Atomic(0)

  /// Counts as one as long as it lives.
  private final class Ticket: Sendable {
    private let frames: SpareFrames

    init(of frames: SpareFrames) {
      self.frames = frames
    }

    deinit {
      frames.count.subtract(1, ordering: .relaxed)
    }
  }

  /// The frame in memory of its own; nil where too many are kept.
  func copy(_ frame: CapturedFrame) -> CapturedFrame? {
    let isTooMany = count.add(1, ordering: .relaxed).newValue > Self.limit
    let ticket = Ticket(of: self)
    return isTooMany ? nil : frame.stored(in: frame.storage.copied(for: ticket))
  }
}
