import CaptureKitLinux
import Synchronization

/// An output of one's own: counts frames, can be waited for, runs a closure on the camera's thread.
final class FrameTap: CaptureOutput {
  private struct State {
    var frameCount = 0
    var framesSinceStart = 0
    var drops: [FrameDropReason] = []
    var ends: [CaptureError?] = []
    var starts = 0
  }

  private let state = Mutex(State())
  private let onFrame: @Sendable (CapturedFrame) -> Void
  private let stream: AsyncStream<Void>
  private let tick: AsyncStream<Void>.Continuation

  init(onFrame: @escaping @Sendable (CapturedFrame) -> Void = { _ in }) {
    self.onFrame = onFrame
    (stream, tick) = AsyncStream<Void>.makeStream(bufferingPolicy: .unbounded)
  }

  var frameCount: Int { state.withLock { $0.frameCount } }
  var framesSinceStart: Int { state.withLock { $0.framesSinceStart } }
  var drops: [FrameDropReason] { state.withLock { $0.drops } }
  var ends: [CaptureError?] { state.withLock { $0.ends } }
  var starts: Int { state.withLock { $0.starts } }

  /// Returns when this many more frames have come, or the stream has ended.
  func frames(_ count: Int) async {
    var rest = count
    for await _ in stream {
      rest -= 1
      if rest <= 0 { return }
    }
  }

  func connection(
    _ connection: CaptureConnection, didStartWith format: CaptureFormat, at time: HostTime
  ) {
    state.withLock { state in
      state.starts += 1
      state.framesSinceStart = 0
    }
  }

  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    state.withLock { state in
      state.frameCount += 1
      state.framesSinceStart += 1
    }
    onFrame(frame)
    tick.yield()
  }

  func connection(_ connection: CaptureConnection, didDrop frame: DroppedFrame) {
    state.withLock { $0.drops.append(frame.reason) }
  }

  func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
    state.withLock { $0.ends.append(error) }
    tick.finish()
  }
}
