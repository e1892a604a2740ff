import CAllocations
import CaptureKitLinux
import Synchronization

/// Counts frames until there are enough.
final class FrameCounter: CaptureOutput {
  /// Ends when enough frames have come, or no more will.
  let finished: AsyncStream<Never>
  private let end: AsyncStream<Never>.Continuation
  private let wanted: Int
  private let count = Atomic<Int>(0)
  private let heap = Mutex((start: cb_allocations(), end: cb_allocations()))

  init(wanted: Int) {
    self.wanted = wanted
    (finished, end) = AsyncStream.makeStream()
  }

  var isComplete: Bool { count.load(ordering: .relaxed) >= wanted }

  /// Frames, and the heap blocks and their bytes that the second half of the frames has taken.
  var summary: String {
    let (start, end) = heap.withLock { $0 }
    let frames = Double(max(1, wanted - wanted / 2))
    return "\(count.load(ordering: .relaxed)) frames,"
      + " \(Double(end.count &- start.count) / frames) blocks of"
      + " \(Double(end.bytes &- start.bytes) / frames) bytes a frame"
  }

  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    let number = count.add(1, ordering: .relaxed).newValue
    if number == wanted / 2 { heap.withLock { $0.start = cb_allocations_now() } }
    if number == wanted {
      heap.withLock { $0.end = cb_allocations_now() }
      end.finish()
    }
  }

  func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
    end.finish()
  }
}
