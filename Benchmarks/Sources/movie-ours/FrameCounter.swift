import CaptureKitLinux
import Synchronization

/// Counts frames until there are enough.
final class FrameCounter: CaptureOutput {
  /// Ends when enough frames have come, or no more will.
  let finished: AsyncStream<Never>
  private let end: AsyncStream<Never>.Continuation
  private let wanted: Int
  private let count = Atomic<Int>(0)

  init(wanted: Int) {
    self.wanted = wanted
    (finished, end) = AsyncStream.makeStream()
  }

  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    if count.add(1, ordering: .relaxed).newValue == wanted { end.finish() }
  }

  func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
    end.finish()
  }
}
