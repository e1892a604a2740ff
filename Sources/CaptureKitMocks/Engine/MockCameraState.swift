import CaptureKitLinux
import Dispatch

/// Everything about a simulated camera that changes; a state machine that never waits.
struct MockCameraState: Sendable {
  private enum Presence {
    case plugged
    /// Plugged in again at a moment, or by hand.
    case unplugged(until: HostTime?)
  }

  struct Stream: Sendable {
    /// Wakes whoever waits for the stream's next frame.
    let wake: DispatchSemaphore
    /// The camera's count of unplugs when the stream was opened.
    let unplugCount: Int
    let queueLimit: Int
    var isInterrupted = false
    var run: Run?
  }

  struct Run: Sendable {
    let format: CaptureFormat
    var timeline: FrameTimeline
    var nextFrame: UInt64 = 0
  }

  enum Step {
    case frame(MockFrameRequest, FrameFaults)
    case interrupted
    case wait(until: HostTime)
  }

  let name: String
  let formats: [CaptureDevice.Format]
  var script = MockScript([])
  var settlingTime = Duration.zero
  var bus: MockBus?
  var timestampReference = FrameTimestamp.Reference.startOfExposure
  var counters = MockCamera.Counters()
  /// Who wants to hear of plugs and unplugs.
  var watchers: [Int: MockCamera.Watcher] = [:]
  var lastWatcher = 0
  private var presence = Presence.plugged
  private(set) var unplugCount = 0
  var controls = MockControls(MockCamera.webcamControls)
  private var streams: [Int: Stream] = [:]

  init(name: String, formats: [CaptureDevice.Format]) {
    self.name = name
    self.formats = formats
  }
}

// MARK: - Plugging

extension MockCameraState {
  func isPresent(at now: HostTime) -> Bool {
    switch presence {
    case .plugged: true
    case .unplugged(let until): until.map { $0 <= now } ?? false
    }
  }

  /// When an unplugged camera comes back by itself.
  var comesBack: HostTime? {
    if case .unplugged(let until) = presence { until } else { nil }
  }

  /// Which stay it is, counted from 1.
  var connectionID: UInt64 { UInt64(unplugCount) + 1 }

  /// Returns whom to wake.
  mutating func setScript(_ events: [MockEvent]) -> [DispatchSemaphore] {
    script = MockScript(events)
    return streams.values.map(\.wake)
  }

  /// Returns whom to wake.
  mutating func unplug(until time: HostTime?) -> [DispatchSemaphore] {
    presence = .unplugged(until: time)
    unplugCount += 1
    controls.endWatching()
    return streams.values.map(\.wake)
  }

  /// Returns whom to wake: nobody.
  mutating func replug() -> [DispatchSemaphore] {
    presence = .plugged
    return []
  }

  /// Lets the script unplug the camera; returns whom to wake.
  private mutating func unplugIfDue(
    nextFrame: UInt64, now: HostTime
  ) -> [DispatchSemaphore] {
    switch script.takeUnplug(beforeFrame: nextFrame) {
    case nil: []
    case .lasting: unplug(until: nil)
    case .brief(let delay): unplug(until: now.advanced(by: delay))
    }
  }
}

// MARK: - Streams

extension MockCameraState {
  /// Opens a stream; returns what it is known by.
  mutating func open(wake: DispatchSemaphore, queueLimit: Int, now: HostTime) throws -> Int {
    _ = try openControls(now: now)
    if script.isBusy {
      throw CaptureError(
        .inUse, "\(name) is in use: close it in the other program.", errno: 16)
    }
    counters.opened += 1
    let stream = counters.opened
    streams[stream] = Stream(wake: wake, unplugCount: unplugCount, queueLimit: queueLimit)
    return stream
  }

  /// Lets somebody at the controls, whoever streams; returns the count of unplugs until which it holds.
  func openControls(now: HostTime) throws -> Int {
    guard isPresent(at: now) else {
      throw CaptureError(.disconnected, "\(name) was unplugged: plug it in again.")
    }
    if script.isForbidden {
      throw CaptureError(.notPermitted, "\(name) may not be opened by this user.", errno: 13)
    }
    return unplugCount
  }

  mutating func close(_ id: Int) {
    if streams.removeValue(forKey: id) != nil { counters.closed += 1 }
  }

  /// What a stream would deliver for a request, if it may start.
  func deliveredFormat(_ id: Int, for request: CaptureFormat) throws -> CaptureFormat {
    let stream = try connectedStream(id)
    if let error = script.startError(for: request.pixelFormat) { throw error }
    guard stream.run == nil, !streams.values.contains(where: { $0.run != nil && isLive($0) }) else {
      throw CaptureError(
        .inUse, "\(name) is in use: close it in the other program.", errno: 16)
    }
    let format = formats.first {
      $0.pixelFormat == request.pixelFormat && $0.offers(request.dimensions)
    }
    guard let format else {
      throw CaptureError(
        .unsupportedFormat,
        "\(name) has no \(request.pixelFormat) \(request.dimensions): choose one of its formats.")
    }
    return CaptureFormat(
      pixelFormat: request.pixelFormat, dimensions: script.deliveredSize ?? request.dimensions,
      frameDuration: request.frameDuration ?? format.minFrameDuration ?? .thirtieth)
  }

  mutating func start(_ id: Int, delivering format: CaptureFormat, now: HostTime) {
    guard let limit = streams[id]?.queueLimit else { return }
    let duration = (format.frameDuration ?? .thirtieth).duration
    let shift = script.startDelay - duration * script.staleFrameCount
    let timeline = FrameTimeline(
      start: now.advanced(by: shift), duration: duration,
      limit: max(limit, script.staleFrameCount))
    streams[id]?.run = Run(format: format, timeline: timeline)
    counters.started += 1
  }

  mutating func stop(_ id: Int) {
    guard streams[id]?.run != nil else { return }
    streams[id]?.run = nil
    counters.stopped += 1
  }

  mutating func interrupt(_ id: Int) {
    streams[id]?.isInterrupted = true
  }

  /// What a stream does next, and whom else to wake.
  mutating func step(
    _ id: Int, now: HostTime
  ) throws -> (step: Step, wake: [DispatchSemaphore]) {
    if streams[id]?.isInterrupted == true {
      streams[id]?.isInterrupted = false
      return (.interrupted, [])
    }
    guard var run = try connectedStream(id).run else { throw CaptureError(.notRunning) }
    var wake = unplugIfDue(nextFrame: run.nextFrame, now: now)
    // Others have to hear of it too: they are woken, and find out by themselves.
    guard wake.isEmpty else { return (.wait(until: now), wake) }

    if let error = script.takeFailure(beforeFrame: run.nextFrame) { throw error }
    guard !script.isSilent else { return (.wait(until: now.advanced(by: .seconds(3600))), []) }
    let (due, lost) = run.timeline.take(now: now, script: &script)
    counters.framesLost += lost
    defer { streams[id]?.run = run }
    guard let due else { return (.wait(until: run.timeline.next.time), []) }
    run.nextFrame = due.sequence + 1
    counters.framesHandedOut += 1
    var faults = script.takeFaults(at: due.sequence)
    if Int(clamping: due.sequence) < script.blackFrameCount { faults.insert(.black) }
    wake = unplugIfDue(nextFrame: run.nextFrame, now: now)
    let request = MockFrameRequest(
      format: run.format, sequence: due.sequence,
      timestamp: timestamp(of: due, duration: run.timeline.duration, now: now),
      light: controls.light, settings: controls.frameSettings)
    return (.frame(request, faults), wake)
  }

  private func timestamp(
    of frame: FrameTimeline.Due, duration: Duration, now: HostTime
  ) -> FrameTimestamp {
    switch script.hasUnknownTimestamps ? .pickup : timestampReference {
    case .startOfExposure:
      FrameTimestamp(frame.time.advanced(by: .zero - duration), .startOfExposure)
    case .endOfFrame: FrameTimestamp(frame.time, .endOfFrame)
    case .pickup: FrameTimestamp(now, .pickup)
    }
  }

  private func isLive(_ stream: Stream) -> Bool { stream.unplugCount == unplugCount }

  private func connectedStream(_ id: Int) throws -> Stream {
    guard let stream = streams[id], isLive(stream) else {
      throw CaptureError(.disconnected, "\(name) was unplugged.", errno: 19)
    }
    return stream
  }
}
