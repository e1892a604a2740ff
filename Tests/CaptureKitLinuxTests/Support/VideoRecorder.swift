import CaptureKitLinux
import Dispatch
import Synchronization

/// A delegate that writes down what it is told, can be waited for, and can be held up.
final class VideoRecorder: CaptureVideoDataOutputSampleBufferDelegate, Sendable {
  enum Event: Hashable, Sendable {
    case frame(UInt64)
    case drop(FrameDropReason)
  }

  private struct State {
    var events: [Event] = []
    var frames: [CapturedFrame] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())
  private let keepsFrames: Bool
  private let gate: DispatchSemaphore?
  private let onCall: @Sendable () -> Void

  /// - Parameters:
  ///   - isHeldUp: Whether each frame's call waits for ``letGo()``.
  ///   - keepsFrames: Whether frames are kept until ``takeFrames()``.
  ///   - onCall: Called first in each call.
  init(
    isHeldUp: Bool = false, keepsFrames: Bool = false, onCall: @escaping @Sendable () -> Void = {}
  ) {
    gate = isHeldUp ? DispatchSemaphore(value: 0) : nil
    self.keepsFrames = keepsFrames
    self.onCall = onCall
  }

  var events: [Event] { state.withLock { $0.events } }

  /// What came, once so much has come.
  func events(_ count: Int) async -> [Event] {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        guard state.events.count < count else { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
    return events
  }

  func takeFrames() -> [CapturedFrame] {
    state.withLock { state in
      defer { state.frames = [] }
      return state.frames
    }
  }

  /// Lets one call return.
  func letGo() { gate?.signal() }

  private func note(_ event: Event, _ frame: CapturedFrame? = nil) {
    let ready = state.withLock { state in
      state.events.append(event)
      if let frame, keepsFrames { state.frames.append(frame) }
      let ready = state.waiters.filter { $0.count <= state.events.count }
      state.waiters.removeAll { $0.count <= state.events.count }
      return ready
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  func captureOutput(
    _ output: any CaptureOutput, didOutput frame: CapturedFrame, from connection: CaptureConnection
  ) {
    onCall()
    note(.frame(frame.sequence), frame)
    gate?.wait()
  }

  func captureOutput(
    _ output: any CaptureOutput, didDrop frame: DroppedFrame, from connection: CaptureConnection
  ) {
    onCall()
    for _ in 0..<frame.count { note(.drop(frame.reason)) }
  }
}
