import Dispatch
import LinuxSystem
import Synchronization

/// One camera's thread: takes its frames, hands them to the outputs that are connected, and brings
/// the camera back when it stops sending them.
///
/// Frames go one way. The loop waits in the stream's `nextFrame`, which stopping interrupts at
/// once; it never runs a user's delegate. What is done about a fault is decided by
/// ``RecoveryPolicy``.
final class StreamLoop: Sendable {
  /// A way for frames: a connection and its output, held as long as frames may flow.
  struct Route: Sendable {
    let connection: CaptureConnection
    let output: any CaptureOutput
  }

  /// What the session wants to know of the camera; called on the camera's thread.
  struct Watcher: Sendable {
    /// The camera is in another state; with why, where that is a fault.
    var onState: @Sendable (CaptureSession.State, CaptureError?) -> Void = { _, _ in }
    /// Something to tell the app.
    var onDiagnostic: @Sendable (CaptureDiagnostic) -> Void = { _ in }
  }

  /// What a loop begins with.
  enum Beginning: Sendable {
    case started(any CaptureStream)
    /// The camera cannot be had yet, for this reason.
    case interrupted(CaptureError)
  }

  /// How long a driver may take to stop; one that takes longer is stuck in the kernel.
  private static let patience = DispatchTimeInterval.seconds(10)

  let input: CaptureDeviceInput
  /// What the session has asked for.
  let request: CaptureFormat
  /// What the camera was asked for in its place, where the USB bus had no room.
  let settledRequest: CaptureFormat
  let recovery: CaptureRecovery
  let resumesAfterReconnect: Bool
  let watcher: Watcher
  let state: Mutex<State>
  let conversions = ConversionTally()
  let wake = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  struct State {
    /// Let go by the camera's thread at its end, so that the camera is closed when the wait for it
    /// is over.
    var stream: (any CaptureStream)?
    var beginning: CaptureError?
    var deliveredFormat: CaptureFormat?
    var startedAt: HostTime
    var routes: [Route]
    var isStopping = false
    /// Somebody has news that make it worth looking again at once.
    var isPoked = false
    var hasEnded = false
    var thread: ThreadIdentity?
    var counters = CaptureStatistics()
    var meter = FrameRateMeter()
    /// Counters of some seconds ago, for what is the matter lately.
    var recent = RecentCounters()
    var detours: [FormatDetour] = []
    var replacement: CaptureDevice?
    /// Other cameras that were there already when this one went.
    var bystanders: [CaptureDevice] = []
    var lookout: Task<Void, Never>?
  }

  /// Takes a camera that is started, or that will be as soon as it can be had.
  init(
    input: CaptureDeviceInput, request: CaptureFormat, settledRequest: CaptureFormat,
    beginning: Beginning, routes: [Route], recovery: CaptureRecovery, resumesAfterReconnect: Bool,
    watcher: Watcher
  ) {
    self.input = input
    self.request = request
    self.settledRequest = settledRequest
    self.recovery = recovery
    self.resumesAfterReconnect = resumesAfterReconnect
    self.watcher = watcher
    var state = State(startedAt: input.device.environment.clock.now, routes: routes)
    switch beginning {
    case .started(let stream):
      state.stream = stream
      state.deliveredFormat = stream.deliveredFormat ?? settledRequest
    case .interrupted(let error): state.beginning = error
    }
    state.counters.nominalFrameDuration = state.deliveredFormat?.frameDuration
    self.state = Mutex(state)
  }

  var device: CaptureDevice { input.device }
  var clock: any CaptureClock { input.device.environment.clock }

  /// What the camera really delivers; nil while it delivers nothing.
  var deliveredFormat: CaptureFormat? { state.withLock { $0.deliveredFormat } }
  /// When it was last started.
  var startedAt: HostTime { state.withLock { $0.startedAt } }

  /// Starts the thread.
  ///
  /// - Parameter onEnd: Called on the camera's thread when the stream has ended and is stopped;
  ///   with an error where nobody asked for it.
  /// - Throws: `outOfResources` where there is no room for a thread; the stream is stopped then.
  func run(onEnd: @escaping @Sendable (CaptureError?) -> Void) throws(CaptureError) {
    do {
      try NamedThread.start("camera") { [self] in
        state.withLock { $0.thread = .current }
        onEnd(runUntilEnd())
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
        .outOfResources, "There is no room for a thread for \(device.localizedName): \(error).",
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
    let now = clock.now
    return state.withLock { state in
      var statistics = state.counters
      statistics.converted = conversions.converted
      statistics.conversionFailures = conversions.failed
      statistics.lastFrameTime = state.meter.last
      guard !state.hasEnded, state.deliveredFormat != nil else {
        statistics.nominalFrameDuration = nil
        return statistics
      }
      statistics.deliveredFramesPerSecond = state.meter.rate(at: now)
      return statistics
    }
  }

  /// Whether the caller runs on the camera's own thread, where waiting for its end would never end.
  var isCurrentThread: Bool {
    state.withLock { $0.thread?.isCurrent } ?? false
  }

  /// Asks the loop to end.
  func requestStop() {
    let stream = state.withLock { state in
      state.isStopping = true
      return state.stream
    }
    stream?.interrupt()
    wake.signal()
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

extension StreamLoop.State {
  mutating func count(_ verdict: FrameInspector.Verdict, at now: HostTime) {
    recent.update(counters, at: now)
    counters.count(verdict)
    if verdict.drop == nil { meter.note(now) }
  }
}

// MARK: - Errands

extension StreamLoop {
  /// How many stays in other formats may be asked for at once.
  private static let detourLimit = 64

  /// Asks for a stay in another format; see ``FormatDetour``.
  ///
  /// While the camera is being recovered or interrupted it waits, until its deadline at most.
  ///
  /// - Returns: Whether it was taken up; where it was not, none of its closures is called.
  func take(_ detour: FormatDetour) -> Bool {
    let (isTaken, stream) = state.withLock { state -> (Bool, (any CaptureStream)?) in
      guard !state.hasEnded, !state.isStopping, state.detours.count < Self.detourLimit else {
        return (false, nil)
      }
      state.detours.append(detour)
      return (true, state.stream)
    }
    if isTaken { stream?.interrupt() }
    return isTaken
  }

  /// Lets a loop that waits look again at once.
  func poke() {
    state.withLock { $0.isPoked = true }
    wake.signal()
  }
}
