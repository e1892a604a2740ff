import Synchronization

extension CaptureSession {
  /// Whether the session runs.
  public var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Starts the session and waits until its cameras run; failures are kept in ``lastError``.
  public func startRunning() {
    inTransition { session in session.recordingErrors { try session.startCameras() } }
  }

  /// Stops the session and waits until its cameras are closed.
  ///
  /// Called by an output or a backend that the session is calling, it returns at once.
  public func stopRunning() {
    inTransition { $0.stopCameras() }
  }

  /// Starts the session; returns when its cameras run, without blocking the thread.
  ///
  /// - Throws: ``CaptureError``: `alreadyConfiguring` in an open batch; `inUse`, `notPermitted`,
  ///   `disconnected`, `usbBandwidth`, `unsupportedFormat` or `streamFailed` where a camera cannot be
  ///   started. Nothing runs then.
  public func start() async throws {
    try await withCheckedThrowingContinuation { continuation in
      transitions.async {
        continuation.resume(with: Result { try self.startCameras() })
      }
    }
  }

  /// Stops the session; returns when its cameras are closed, without blocking the thread.
  public func stop() async {
    await withCheckedContinuation { continuation in
      transitions.async {
        self.stopCameras()
        continuation.resume()
      }
    }
  }

  /// Brings the cameras of a running session in line with the committed configuration.
  func bringInLine() throws {
    guard !isCalledBySession else {
      transitions.async {
        if self.isRunning { self.recordingErrors { try self.reconcile() } }
      }
      return
    }
    try transitions.sync {
      if isRunning { try reconcile() }
    }
  }

  /// Code that the session itself is calling, on a camera's thread or within a transition, must not wait
  /// for a transition.
  private func inTransition(_ body: @escaping @Sendable (CaptureSession) -> Void) {
    if isCalledBySession {
      transitions.async { body(self) }
    } else {
      transitions.sync { body(self) }
    }
  }

  private var isCalledBySession: Bool {
    transitions.isCurrent
      || state.withLock { $0.loops }.contains { $0.isCurrentThread }
  }
}

// MARK: - On the transition queue

extension CaptureSession {
  private func startCameras() throws {
    let (depth, isRunning) = state.withLock { ($0.depth, $0.isRunning) }
    guard depth == 0 else { throw CaptureError(.alreadyConfiguring) }
    guard !isRunning else { return }
    do {
      try reconcile()
    } catch {
      stopLoops(state.withLock { $0.loops })
      throw error
    }
    state.withLock { $0.isRunning = true }
    post(Self.didStartRunningNotification)
  }

  private func stopCameras() {
    let wasRunning = state.withLock { state in
      defer { state.isRunning = false }
      return state.isRunning
    }
    guard wasRunning else { return }
    stopLoops(state.withLock { $0.loops })
    announceEndOfDelivery()
    post(Self.didStopRunningNotification)
  }

  /// Stops what should not run, redirects what should, and starts what is missing.
  ///
  /// - Throws: The first error met; what is not concerned by it runs all the same.
  private func reconcile() throws {
    let configuration = state.withLock { $0.committed }
    var wanted: [(device: CaptureDevice, request: CaptureFormat)] = []
    var failure: (any Error)?
    // A camera that was lost while the session ran was reported then.
    for input in configuration.inputs where !isRunning || input.device.isConnected {
      do {
        wanted.append((input.device, try request(for: input.device, under: configuration)))
      } catch {
        failure = failure ?? error
      }
    }
    let loops = state.withLock { $0.loops }
    let kept = loops.filter { loop in
      wanted.contains { $0.device === loop.device && $0.request == loop.request }
    }
    stopLoops(loops.filter { loop in !kept.contains { $0 === loop } })
    for (device, request) in wanted {
      let routes = configuration.routes(from: device)
      if let loop = kept.first(where: { $0.device === device }) {
        redirect(loop, to: routes)
        continue
      }
      do {
        let old = loops.first { $0.device === device }
        try startLoop(device, from: old?.request, to: request) { request in
          try startLoop(
            device: device, request: request, routes: routes, isContinuation: old != nil)
        }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  private func request(
    for device: CaptureDevice, under configuration: SessionConfiguration
  ) throws -> CaptureFormat {
    guard device.isConnected else { throw CaptureError.disconnected(device) }
    let formats = try notingDisconnection(of: device) { try device.loadFormats() }
    let request = FormatNegotiator(device, formats).request(
      chosen: configuration.decisiveFormat(of: device), preset: configuration.preset)
    guard let request else {
      let offer = Set(formats.map { "\($0.pixelFormat)" }).sorted().joined(separator: ", ")
      throw CaptureError(
        .unsupportedFormat,
        "\(device.localizedName) has no readable format for the preset "
          + "\(configuration.preset.rawValue): it offers \(offer.isEmpty ? "nothing" : offer).")
    }
    return request
  }

  private func startLoop(
    device: CaptureDevice, request: CaptureFormat, routes: [StreamLoop.Route],
    isContinuation: Bool
  ) throws {
    let stream = try notingDisconnection(of: device) {
      let stream = try device.backend.open(device.description)
      try stream.start(request)
      return stream
    }
    let loop = StreamLoop(device: device, request: request, stream: stream, routes: routes)
    announceStart(of: routes, by: loop)
    if isContinuation { announceDiscontinuity(of: routes, at: loop.startedAt) }
    state.withLock { $0.loops.append(loop) }
    do {
      try loop.run { [weak self, unowned loop] error in
        // First of all, so that whoever is told of the end finds the camera gone.
        if error?.code == .disconnected { loop.device.noteLoss() }
        Self.announceEnd(of: loop.takeRoutes(), error)
        if let error { self?.cameraFailed(loop, error) }
      }
    } catch {
      stopLoops([loop])
      Self.announceEnd(of: routes, error)
      throw error
    }
  }

  /// Runs a call of a device's backend; its errors become this module's.
  private func notingDisconnection<Value>(
    of device: CaptureDevice, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch {
      let error = CaptureError.wrapping(error)
      if error.code == .disconnected { device.noteLoss() }
      throw error
    }
  }

  private static func announceEnd(of routes: [StreamLoop.Route], _ error: CaptureError?) {
    for route in routes {
      route.connection.deactivate()
      route.output.connection(route.connection, didEndWith: error)
    }
  }

  private func redirect(_ loop: StreamLoop, to routes: [StreamLoop.Route]) {
    let old = loop.routes
    let added = routes.filter { new in !old.contains { $0.connection === new.connection } }
    let removed = old.filter { gone in !routes.contains { $0.connection === gone.connection } }
    announceStart(of: added, by: loop)
    if loop.setRoutes(routes) {
      Self.announceEnd(of: removed, CaptureError(.noConnection, "The output was removed."))
    } else {
      // The camera has ended by itself meanwhile, and told the outputs that it had then.
      Self.announceEnd(of: added, CaptureError(.stopped))
    }
  }

  private func announceStart(of routes: [StreamLoop.Route], by loop: StreamLoop) {
    for route in routes {
      route.output.connection(
        route.connection, didStartWith: loop.deliveredFormat, at: loop.startedAt)
      route.connection.activate(loop.deliveredFormat)
    }
  }

  private func stopLoops(_ loops: [StreamLoop]) {
    for loop in loops { loop.requestStop() }
    for loop in loops where !loop.waitUntilStopped() {
      record(
        CaptureError(
          .streamFailed, "\(loop.device.localizedName) does not stop: its driver is stuck."))
    }
    let ended = loops.map { (loop: $0, statistics: $0.statistics) }
    state.withLock { state in
      for (loop, statistics) in ended where state.loops.contains(where: { $0 === loop }) {
        state.pastStatistics = state.pastStatistics + statistics
        state.loops.removeAll { $0 === loop }
      }
    }
  }

  /// A camera ended by itself; called as the last thing on its thread.
  private func cameraFailed(_ loop: StreamLoop, _ error: CaptureError) {
    record(error)
    transitions.async { [weak self] in
      guard let self else { return }
      stopLoops([loop])
      let isOver = state.withLock { state in
        guard state.isRunning, state.loops.isEmpty else { return false }
        state.isRunning = false
        return true
      }
      guard isOver else { return }
      announceEndOfDelivery()
      post(Self.didStopRunningNotification)
    }
  }

  private func announceEndOfDelivery() {
    for output in state.withLock({ $0.committed.outputs }) { output.deliveryDidEnd() }
    ConversionMemory.shared.removeAll()
  }
}
