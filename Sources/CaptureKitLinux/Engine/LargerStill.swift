import Synchronization

/// Takes a running camera to a larger format for one request, and back.
///
/// The camera's thread does both; see ``FormatDetour``.
final class LargerStill: PhotoPreparation {
  /// What the camera may take to stop and to start, beside the time that the photo may take.
  private static let switching = Duration.seconds(5)

  private struct State {
    var hasStarted = false
    var isDone = false
    var hasEnded = false
    var onRestored: (@Sendable (Duration) -> Void)?
  }

  private let connection: CaptureConnection
  private let format: CaptureFormat
  private let timeout: Duration
  private let settling: Duration
  private let receive: @Sendable (CapturedFrame) -> Void
  private let fail: @Sendable (CaptureError) -> Void
  private let state = Mutex(State())

  /// Describes the stay.
  ///
  /// - Parameters:
  ///   - format: What the camera is asked for.
  ///   - connection: The camera's way to the output.
  ///   - timeout: How long the photo may take.
  ///   - settling: How long exposure may take to settle after a start.
  ///   - receive: Takes the camera's frames meanwhile.
  ///   - fail: Told why no photo will come, where the camera did not stay.
  init(
    _ format: CaptureFormat, on connection: CaptureConnection, timeout: Duration,
    settling: Duration, receive: @escaping @Sendable (CapturedFrame) -> Void,
    fail: @escaping @Sendable (CaptureError) -> Void
  ) {
    self.connection = connection
    self.format = format
    self.timeout = timeout
    self.settling = settling
    self.receive = receive
    self.fail = fail
  }

  var isForEachPhoto: Bool { false }

  func prepare(
    photo: Int, then completion: @escaping @Sendable (Result<Duration, CaptureError>) -> Void
  ) {
    let now = connection.input.device.environment.clock.now
    let detour = FormatDetour(
      format: format, deadline: now.advanced(by: timeout + settling + Self.switching),
      onStart: { [self] _, _ in
        state.withLock { $0.hasStarted = true }
        completion(.success(settling))
      },
      receive: { [self] frame in
        receive(frame)
        return state.withLock { $0.isDone }
      },
      onEnd: { [self] error in ended(error, completion) })
    guard !connection.take(detour) else { return }
    let error = CaptureError(.notRunning)
    ended(error, completion)
  }

  func restore(then completion: @escaping @Sendable (Duration) -> Void) {
    let hasEnded = state.withLock { state in
      state.isDone = true
      if !state.hasEnded { state.onRestored = completion }
      return state.hasEnded
    }
    if hasEnded { completion(settling) }
  }

  private func ended(
    _ error: CaptureError?,
    _ completion: @Sendable (Result<Duration, CaptureError>) -> Void
  ) {
    let (hasStarted, onRestored) = state.withLock { state in
      state.hasEnded = true
      defer { state.onRestored = nil }
      return (state.hasStarted, state.onRestored)
    }
    let reason = error ?? CaptureError(.stopped)
    if !hasStarted { completion(.failure(reason)) }
    if let onRestored { onRestored(settling) } else if hasStarted { fail(reason) }
  }
}
