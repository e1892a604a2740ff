import Synchronization

extension CaptureSession {
  /// Whether the session runs: it was started, and neither stopped, nor failed, nor interrupted as
  /// a whole.
  ///
  /// What it is doing otherwise is in ``state-swift.property``.
  public var isRunning: Bool { storage.withLock { $0.isRunning } }

  var isStarted: Bool { storage.withLock { $0.isStarted } }

  /// Starts the session and waits until its cameras run; failures are kept in ``lastError``.
  ///
  /// A camera that cannot be had for the moment, because another program uses it, its input has no
  /// signal or its shutter is closed, interrupts the session as if that had happened later: it is
  /// tried again, soon at first and then every two seconds, until it can be had or the session is
  /// stopped. A session that is interrupted already tries again at once.
  public func startRunning() {
    inTransition { session in
      session.recordingErrors { try session.startCameras(waitsForCameras: true) }
    }
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
  ///   `disconnected`, `noSignal`, `privacyShutter`, `usbBandwidth`, `unsupportedFormat`,
  ///   `outOfResources` or `streamFailed` where a camera cannot be started. Nothing runs then, and nothing is tried
  ///   again: ``startRunning()`` waits for a camera that is in use. In a session that is
  ///   interrupted already, why it is; it goes on waiting.
  public func start() async throws {
    try await withCheckedThrowingContinuation { continuation in
      transitions.async {
        continuation.resume(with: Result { try self.startCameras(waitsForCameras: false) })
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

  /// Which cameras' failures are a change's own; others are told as the session's.
  enum Concern: Sendable {
    case everyCamera, noCamera
    /// Those that run until now.
    case runningCameras
    case camera(of: CaptureDeviceInput)

    func includes(_ input: CaptureDeviceInput, ifRunning isRunning: Bool) -> Bool {
      switch self {
      case .everyCamera: true
      case .noCamera: false
      case .runningCameras: isRunning
      case .camera(let own): input === own
      }
    }
  }

  /// Brings the cameras of a running session in line with the committed configuration.
  ///
  /// - Throws: What a camera that is of concern met.
  func bringInLine(concerning concern: Concern) throws {
    guard !isCalledBySession else {
      transitions.async {
        if self.isStarted { self.recordingErrors { try self.reconcile() } }
      }
      return
    }
    try transitions.sync {
      if isStarted { try reconcile(concerning: concern) }
    }
  }

  /// Code that the session itself is calling, on a camera's thread or within a transition, must not
  /// wait for a transition.
  private func inTransition(_ body: @escaping @Sendable (CaptureSession) -> Void) {
    if isCalledBySession {
      transitions.async { body(self) }
    } else {
      transitions.sync { body(self) }
    }
  }

  private var isCalledBySession: Bool {
    transitions.isCurrent
      || storage.withLock { $0.loops }.contains { $0.isCurrentThread }
  }
}

// MARK: - On the transition queue

extension CaptureSession {
  private func startCameras(waitsForCameras: Bool) throws {
    let (depth, isStarted) = storage.withLock { ($0.depth, $0.isStarted) }
    guard depth == 0 else { throw CaptureError(.alreadyConfiguring) }
    guard !isStarted else { return try lookAgain(throwing: !waitsForCameras) }
    do {
      try reconcile(waitsForCameras: waitsForCameras)
    } catch {
      stopLoops(storage.withLock { $0.loops })
      throw error
    }
    changeState { storage in
      storage.isStarted = true
      storage.failure = nil
    }
  }

  /// Lets the cameras that are waited for be tried at once.
  private func lookAgain(throwing: Bool) throws {
    let (loops, connections) = storage.withLock { ($0.loops, $0.committed.connections) }
    for loop in loops { loop.poke() }
    if throwing, isInterrupted, let obstacle = connections.lazy.compactMap(\.obstacle).first {
      throw obstacle
    }
  }

  private func stopCameras() {
    guard isStarted else { return }
    stopLoops(storage.withLock { $0.loops }) { storage in
      storage.isStarted = false
      storage.failure = nil
      storage.cameraStates = InputTable()
    }
    announceEndOfDelivery()
  }

  /// Stops what should not run, redirects what should, and starts what is missing.
  ///
  /// - Parameters:
  ///   - concern: The cameras whose errors are thrown; those of others are recorded.
  ///   - waitsForCameras: Whether cameras that cannot be had now are waited for.
  /// - Throws: The first error met; what is not concerned by it runs all the same.
  private func reconcile(
    concerning concern: Concern = .everyCamera, waitsForCameras: Bool = false
  ) throws {
    let configuration = storage.withLock { $0.committed }
    var wanted: [(input: CaptureDeviceInput, request: CaptureFormat)] = []
    var failures: [(input: CaptureDeviceInput, error: any Error)] = []
    let loops = storage.withLock { $0.loops }
    // A camera that was lost while the session ran was reported then.
    for input in configuration.inputs where !isStarted || input.device.isConnected {
      do {
        wanted.append((input, try request(for: input.device, under: configuration)))
      } catch {
        failures.append((input, error))
      }
    }
    let kept = loops.filter { loop in
      // One that waits for its camera to be plugged in again goes on waiting.
      wanted.contains { $0.input === loop.input && $0.request == loop.request }
        || (!loop.device.isConnected && configuration.inputs.contains { $0 === loop.input })
    }
    stopLoops(loops.filter { loop in !kept.contains { $0 === loop } })
    for loop in kept { redirect(loop, to: configuration.routes(from: loop.input)) }
    for (input, request) in wanted where !kept.contains(where: { $0.input === input }) {
      do {
        let old = loops.first { $0.input === input }
        try startLoop(input.device, from: old?.request, to: request) { request in
          try startLoop(
            input, request: request, under: configuration, waitsForCamera: waitsForCameras,
            isContinuation: old != nil)
        }
      } catch {
        failures.append((input, error))
      }
    }
    let isOfConcern = { (input: CaptureDeviceInput) in
      concern.includes(input, ifRunning: loops.contains { $0.input === input })
    }
    for failure in failures where !isOfConcern(failure.input) { record(.wrapping(failure.error)) }
    if let own = failures.first(where: { isOfConcern($0.input) }) { throw own.error }
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

  private func redirect(_ loop: StreamLoop, to routes: [StreamLoop.Route]) {
    let old = loop.routes
    let added = routes.filter { new in !old.contains { $0.connection === new.connection } }
    let removed = old.filter { gone in !routes.contains { $0.connection === gone.connection } }
    let startedAt = announceStart(of: added, by: loop)
    guard loop.setRoutes(routes) else {
      // The camera has ended by itself meanwhile, and told the outputs that it had then.
      return Self.announceEnd(of: added, CaptureError(.stopped))
    }
    // It may have been started anew in between, without the loop's knowing of those that were
    // added.
    if !added.isEmpty, loop.startedAt != startedAt { announceStart(of: added, by: loop) }
    Self.announceEnd(of: removed, CaptureError(.noConnection, "The output was removed."))
  }

  func announceEndOfDelivery() {
    for output in storage.withLock({ $0.committed.outputs }) { output.deliveryDidEnd() }
    ConversionMemory.shared.removeAll()
  }
}
