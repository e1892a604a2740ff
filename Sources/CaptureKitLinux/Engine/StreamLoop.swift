import Dispatch
import Glibc
import LinuxSystem
import Synchronization

/// One camera's thread: takes its frames and hands them to the outputs that are connected.
///
/// Frames go one way. The loop waits in the stream's `nextFrame`, which stopping interrupts at once; it
/// never runs a user's delegate.
final class StreamLoop: Sendable {
  /// A way for frames: a connection and its output, held as long as frames may flow.
  struct Route: Sendable {
    let connection: CaptureConnection
    let output: any CaptureOutput
  }

  /// How long a driver may take to stop; one that takes longer is stuck in the kernel.
  private static let patience = DispatchTimeInterval.seconds(10)
  /// The longest wait for a frame before the loop looks around; nothing depends on it.
  private static let longestWait = Duration.seconds(1)

  let device: CaptureDevice
  let request: CaptureFormat
  /// What the camera really delivers.
  let deliveredFormat: CaptureFormat
  let startedAt: HostTime
  private let conversions = ConversionTally()
  private let state: Mutex<State>
  private let ended = DispatchSemaphore(value: 0)

  private struct State {
    /// Let go by the camera's thread at its end, so that the camera is closed when the wait for it is over.
    var stream: (any CaptureStream)?
    var routes: [Route]
    var isStopping = false
    var hasEnded = false
    var thread: pthread_t?
    var statistics = CaptureStatistics()
  }

  /// Takes a started stream.
  init(device: CaptureDevice, request: CaptureFormat, stream: any CaptureStream, routes: [Route]) {
    self.device = device
    self.request = request
    deliveredFormat = stream.deliveredFormat ?? request
    startedAt = device.environment.clock.now
    state = Mutex(State(stream: stream, routes: routes))
  }

  /// Starts the thread.
  ///
  /// - Parameter onEnd: Called on the camera's thread when the stream has ended and is stopped; with an
  ///   error where nobody asked for it.
  /// - Throws: `streamFailed` where there is no room for a thread; the stream is stopped then.
  func run(onEnd: @escaping @Sendable (CaptureError?) -> Void) throws(CaptureError) {
    do {
      try NamedThread.start("camera") { [self] in
        onEnd(deliverAndClose())
        state.withLock { $0.thread = nil }
        ended.signal()
      }
    } catch {
      let stream = state.withLock { state in
        defer { state.stream = nil }
        return state.stream
      }
      stream?.stop()
      ended.signal()
      throw CaptureError(
        .streamFailed, "There is no room for a thread for \(device.localizedName): \(error).",
        errno: error.rawValue)
    }
  }

  /// Replaces the ways that frames go; takes effect with the next frame.
  ///
  /// - Returns: Whether frames still come; where they do not, nothing has changed.
  func setRoutes(_ routes: [Route]) -> Bool {
    state.withLock { state in
      if !state.hasEnded { state.routes = routes }
      return !state.hasEnded
    }
  }

  /// Takes the ways that frames have gone, when no more will come.
  func takeRoutes() -> [Route] {
    state.withLock { state in
      state.hasEnded = true
      defer { state.routes = [] }
      return state.routes
    }
  }

  var routes: [Route] { state.withLock { $0.routes } }

  /// What has become of the frames so far.
  var statistics: CaptureStatistics {
    var statistics = state.withLock { $0.statistics }
    statistics.converted = conversions.converted
    statistics.conversionFailures = conversions.failed
    return statistics
  }

  /// Whether the caller runs on the camera's own thread, where waiting for its end would never end.
  var isCurrentThread: Bool {
    state.withLock { $0.thread }.map { pthread_equal($0, pthread_self()) != 0 } ?? false
  }

  /// Asks the loop to end.
  func requestStop() {
    let stream = state.withLock { state in
      state.isStopping = true
      return state.stream
    }
    stream?.interrupt()
  }

  /// Waits until the camera is closed; not on the camera's own thread, and not for ever.
  ///
  /// - Returns: Whether the camera is closed, or will be as soon as its own thread returns.
  func waitUntilStopped() -> Bool {
    guard !isCurrentThread else { return true }
    guard ended.wait(timeout: .now() + Self.patience) == .success else { return false }
    ended.signal()
    return true
  }
}

// MARK: - On the camera's thread

extension StreamLoop {
  private func deliverAndClose() -> CaptureError? {
    let stream = state.withLock { state in
      state.thread = pthread_self()
      return state.stream
    }
    guard let stream else { return nil }
    let error = deliverUntilEnd(of: stream)
    stream.stop()
    state.withLock { $0.stream = nil }
    return error
  }

  private func deliverUntilEnd(of stream: any CaptureStream) -> CaptureError? {
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
    frame.storage.conversion?.count(on: conversions)
    let routes = state.withLock { state in
      state.statistics.count(verdict)
      return state.routes
    }
    for route in routes where route.connection.isEnabled {
      if verdict.lost > 0 {
        route.output.connection(
          route.connection, didDrop: DroppedFrame(.lost, count: verdict.lost))
      }
      if let reason = verdict.drop {
        route.output.connection(
          route.connection, didDrop: DroppedFrame(reason, at: verdict.timestamp.time))
      } else {
        route.output.connection(
          route.connection, didReceive: frame.stamped(verdict.timestamp))
      }
    }
  }
}
