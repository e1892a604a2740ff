import CaptureKitLinux
import Synchronization

/// Measures the frames that it gets, and tells of what the command waits for.
final class StreamMeter: CaptureVideoDataOutputSampleBufferDelegate, Sendable {
  /// What the command waits for.
  enum Event {
    /// It is time for a line of figures.
    case tick
    /// The frames that were asked for have come, the time is up, or the user wants an end.
    case finished
    /// The session has met an error.
    case failed(CaptureError)
  }

  private struct State {
    var format: CaptureFormat?
    var total = StreamFigures()
    var recent = StreamFigures()
  }

  let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation
  private let state = Mutex(State())
  private let wantedFrames: UInt64?

  init(wantedFrames: UInt64?) {
    self.wantedFrames = wantedFrames
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
  }

  func tell(_ event: Event) { continuation.yield(event) }

  /// What the camera delivers; nil until the first frame.
  var format: CaptureFormat? { state.withLock { $0.format } }

  /// All frames so far.
  var total: StreamFigures { state.withLock { $0.total } }

  /// The frames since this was last asked for.
  func takeRecent() -> StreamFigures {
    state.withLock { state in
      defer { state.recent = StreamFigures(after: state.recent.end) }
      return state.recent
    }
  }

  func captureOutput(
    _ output: any CaptureOutput, didOutput frame: CapturedFrame, from connection: CaptureConnection
  ) {
    let now = HostTime.now
    let format = connection.format
    let count = state.withLock { state in
      // A frame that comes after the last one that was asked for is not the user's.
      if let wantedFrames, state.total.frameCount >= wantedFrames { return UInt64.max }
      state.format = format ?? state.format
      state.total.add(frame, deliveredAt: now)
      state.recent.add(frame, deliveredAt: now)
      return state.total.frameCount
    }
    if count == wantedFrames { tell(.finished) }
  }

  func captureOutput(
    _ output: any CaptureOutput, didDrop frame: DroppedFrame, from connection: CaptureConnection
  ) {
    state.withLock { state in
      state.total.add(frame)
      state.recent.add(frame)
    }
  }
}
