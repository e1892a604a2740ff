import Foundation
import Synchronization

/// One camera's thread: takes its frames and hands them to the outputs that are connected.
///
/// Frames go one way. The loop waits in the stream's `nextFrame`, which stopping and changed routes
/// interrupt at once; it never runs a user's delegate.
final class StreamLoop: Sendable {
  /// A way for frames: a connection and its output, held as long as frames may flow.
  struct Route: Sendable {
    let connection: CaptureConnection
    let output: any CaptureOutput
  }

  private static let threadKey = "CaptureKitLinux.camera"
  /// The longest wait for a frame before the loop looks around; nothing depends on it.
  private static let longestWait = Duration.seconds(1)

  let device: CaptureDevice
  let request: CaptureFormat
  private let stream: any CaptureStream
  private let state = Mutex(State())
  private let ended = DispatchSemaphore(value: 0)

  private struct State {
    var routes: [Route] = []
    var isStopping = false
    var statistics = CaptureStatistics()
  }

  /// Takes a started stream.
  init(device: CaptureDevice, request: CaptureFormat, stream: any CaptureStream, routes: [Route]) {
    self.device = device
    self.request = request
    self.stream = stream
    state.withLock { $0.routes = routes }
  }

  /// What the camera really delivers.
  var deliveredFormat: CaptureFormat { stream.deliveredFormat ?? request }

  /// Starts the thread.
  ///
  /// - Parameter onEnd: Called on the camera's thread when the stream has ended and is stopped; with an
  ///   error where nobody asked for it.
  func run(onEnd: @escaping @Sendable (CaptureError?) -> Void) {
    let thread = Thread { [self] in
      Thread.current.threadDictionary[Self.threadKey] = ObjectIdentifier(self)
      let error = deliverUntilEnd()
      stream.stop()
      onEnd(error)
      ended.signal()
    }
    thread.name = "camera"
    thread.stackSize = 1 << 20
    thread.start()
  }

  /// Replaces the ways that frames go; takes effect with the next frame.
  func setRoutes(_ routes: [Route]) {
    state.withLock { $0.routes = routes }
  }

  var routes: [Route] { state.withLock { $0.routes } }

  /// What has become of the frames so far.
  var statistics: CaptureStatistics { state.withLock { $0.statistics } }

  /// Whether the caller runs on the camera's own thread, where waiting for its end would never end.
  var isCurrentThread: Bool {
    Thread.current.threadDictionary[Self.threadKey] as? ObjectIdentifier == ObjectIdentifier(self)
  }

  /// Asks the loop to end.
  func requestStop() {
    state.withLock { $0.isStopping = true }
    stream.interrupt()
  }

  /// Waits until the stream is stopped; returns at once on the camera's own thread.
  func waitUntilStopped() {
    guard !isCurrentThread else { return }
    ended.wait()
    ended.signal()
  }
}

// MARK: - On the camera's thread

extension StreamLoop {
  private func deliverUntilEnd() -> CaptureError? {
    var inspector = FrameInspector()
    let clock = device.environment.clock
    while !state.withLock({ $0.isStopping }) {
      do {
        if let frame = try stream.nextFrame(before: .now + Self.longestWait) {
          deliver(frame, verdict: inspector.inspect(frame, now: clock.now))
        }
      } catch {
        return state.withLock { $0.isStopping } ? nil : .wrapping(error)
      }
    }
    return nil
  }

  private func deliver(_ frame: CapturedFrame, verdict: FrameInspector.Verdict) {
    let routes = state.withLock { state in
      state.statistics.count(verdict)
      return state.routes
    }
    for route in routes where route.connection.isEnabled {
      if verdict.lost > 0 {
        route.output.connection(route.connection, didDrop: .lost(count: verdict.lost))
      }
      if let reason = verdict.drop {
        route.output.connection(route.connection, didDrop: reason)
      } else {
        route.output.connection(
          route.connection, didReceive: frame.stamped(verdict.timestamp))
      }
    }
  }
}

extension CapturedFrame {
  /// The same frame with another stamp.
  func stamped(_ timestamp: FrameTimestamp) -> CapturedFrame {
    guard timestamp != self.timestamp else { return self }
    return CapturedFrame(
      pixelFormat: pixelFormat, dimensions: dimensions, layout: layout, color: color,
      sequence: sequence, timestamp: timestamp, duration: duration, isDamaged: isDamaged,
      storage: storage)
  }
}
