import Dispatch
public import Foundation
import Synchronization

extension CaptureDevice {
  /// Posted when a camera that was in use was unplugged; the object is the ``CaptureDevice``.
  public static let wasDisconnectedNotification = Notification.Name("CaptureDeviceWasDisconnected")
}

extension CaptureSession {
  /// Whether the session runs.
  public var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Starts the session and waits until its cameras run; failures are kept in ``lastError``.
  public func startRunning() {
    inTransition { session in session.recordingErrors { try session.startCameras() } }
  }

  /// Stops the session and waits until its cameras are closed.
  ///
  /// On a camera's own thread, where an output receives frames, it returns at once.
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
    guard !isOnCameraThread else {
      transitions.async {
        if self.isRunning { self.recordingErrors { try self.reconcile() } }
      }
      return
    }
    try transitions.sync {
      if isRunning { try reconcile() }
    }
  }

  /// A camera's own thread must not wait for a transition, which may be waiting for the thread.
  private func inTransition(_ body: @escaping @Sendable (CaptureSession) -> Void) {
    if isOnCameraThread {
      transitions.async { body(self) }
    } else {
      transitions.sync { body(self) }
    }
  }

  private var isOnCameraThread: Bool {
    state.withLock { $0.loops }.contains { $0.isCurrentThread }
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
    post(Self.didStopRunningNotification)
  }

  /// Stops what should not run, redirects what should, and starts what is missing.
  private func reconcile() throws {
    let configuration = state.withLock { $0.committed }
    var wanted: [(input: CaptureDeviceInput, request: CaptureFormat)] = []
    for input in configuration.inputs where !isRunning || input.device.isConnected {
      // A camera that was lost while the session ran was reported then.
      wanted.append((input, try request(for: input, preset: configuration.preset)))
    }
    let loops = state.withLock { $0.loops }
    let (kept, obsolete) = loops.partitioned { loop in
      wanted.contains { $0.input.device === loop.device && $0.request == loop.request }
    }
    stopLoops(obsolete)
    var failure: (any Error)?
    for (input, request) in wanted {
      let routes = configuration.routes(from: input)
      if let loop = kept.first(where: { $0.device === input.device }) {
        redirect(loop, to: routes)
      } else {
        do {
          try startLoop(device: input.device, request: request, routes: routes)
        } catch {
          failure = failure ?? error
        }
      }
    }
    if let failure { throw failure }
  }

  private func request(
    for input: CaptureDeviceInput, preset: Preset
  ) throws -> CaptureFormat {
    let device = input.device
    guard device.isConnected else { throw CaptureError.disconnected(device) }
    let formats = try device.loadFormats()
    let request = FormatNegotiator.request(
      from: formats, chosen: device.activeFormat, preset: preset)
    guard let request else {
      let offer = Set(formats.map { "\($0.pixelFormat)" }).sorted().joined(separator: ", ")
      throw CaptureError(
        .unsupportedFormat,
        "\(device.localizedName) has no readable format for the preset \(preset.rawValue): "
          + "it offers \(offer.isEmpty ? "nothing" : offer).")
    }
    return request
  }

  private func startLoop(
    device: CaptureDevice, request: CaptureFormat, routes: [StreamLoop.Route]
  ) throws {
    let stream: any CaptureStream
    do {
      stream = try device.backend.open(device.description)
      try stream.start(request)
    } catch {
      let error = CaptureError.wrapping(error)
      if error.code == .disconnected { noteDisconnection(of: device) }
      throw error
    }
    let loop = StreamLoop(device: device, request: request, stream: stream, routes: routes)
    announceStart(of: routes, format: loop.deliveredFormat, device: device)
    state.withLock { $0.loops.append(loop) }
    do {
      try loop.run { [weak self, unowned loop] error in
        Self.announceEnd(of: loop.routes, error)
        if let error { self?.cameraFailed(loop, error) }
      }
    } catch {
      stopLoops([loop])
      Self.announceEnd(of: routes, error)
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
    announceStart(of: added, format: loop.deliveredFormat, device: loop.device)
    loop.setRoutes(routes)
    Self.announceEnd(of: removed, CaptureError(.noConnection, "The output was removed."))
  }

  private func announceStart(
    of routes: [StreamLoop.Route], format: CaptureFormat, device: CaptureDevice
  ) {
    for route in routes {
      route.output.connection(
        route.connection, didStartWith: format, at: device.environment.clock.now)
      route.connection.activate(format)
    }
  }

  private func stopLoops(_ loops: [StreamLoop]) {
    for loop in loops { loop.requestStop() }
    for loop in loops { loop.waitUntilStopped() }
    state.withLock { state in
      for loop in loops where state.loops.contains(where: { $0 === loop }) {
        state.pastStatistics = state.pastStatistics + loop.statistics
        state.loops.removeAll { $0 === loop }
      }
    }
  }

  /// A camera ended by itself; called as the last thing on its thread.
  private func cameraFailed(_ loop: StreamLoop, _ error: CaptureError) {
    if error.code == .disconnected { noteDisconnection(of: loop.device) }
    record(error)
    transitions.async { [weak self] in
      guard let self else { return }
      stopLoops([loop])
      let isOver = state.withLock { state in
        guard state.isRunning, state.loops.isEmpty else { return false }
        state.isRunning = false
        return true
      }
      if isOver { post(Self.didStopRunningNotification) }
    }
  }

  private func noteDisconnection(of device: CaptureDevice) {
    guard device.markDisconnected() else { return }
    post(CaptureDevice.wasDisconnectedNotification, of: device)
  }
}

extension Array {
  /// The elements that fulfil a condition, and those that do not, each in order.
  fileprivate func partitioned(
    by isFirst: (Element) -> Bool
  ) -> (first: [Element], second: [Element]) {
    (filter(isFirst), filter { !isFirst($0) })
  }
}
