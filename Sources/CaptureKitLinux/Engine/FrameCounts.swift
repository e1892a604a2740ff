import Synchronization

/// What has become of an output's frames.
final class FrameCounts: Sendable {
  private let drops = Mutex<[FrameDropReason: UInt64]>([:])

  func note(_ reason: FrameDropReason, count: UInt64 = 1) {
    drops.withLock { $0[reason, default: 0] &+= count }
  }

  var dropped: [FrameDropReason: UInt64] { drops.withLock { $0 } }
}
