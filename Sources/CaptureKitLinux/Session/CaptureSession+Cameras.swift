import Dispatch
import Synchronization

// On the transition queue, except where something else is said.
extension CaptureSession {
  func startLoop(
    _ input: CaptureDeviceInput, request: CaptureFormat, under configuration: SessionConfiguration,
    waitsForCamera: Bool, isContinuation: Bool
  ) throws {
    let (recovery, resumes) = storage.withLock { ($0.recovery, $0.resumesAfterReconnect) }
    let mayReduce =
      recovery.reducesBandwidth && configuration.decisiveFormat(of: input.device) == nil
    var beginning: StreamLoop.Beginning
    var settled = request
    do {
      let (stream, format) = try openStream(input.device, request, mayReduce: mayReduce)
      (beginning, settled) = (.started(stream), format)
    } catch let error as CaptureError where waitsForCamera && InterruptionReason(error.code) != nil
    {
      beginning = .interrupted(error)
    }
    let routes = configuration.routes(from: input)
    let loop = StreamLoop(
      input: input, request: request, settledRequest: settled, beginning: beginning,
      routes: routes, recovery: recovery, resumesAfterReconnect: resumes,
      watcher: watcher(of: input))
    announceStart(of: routes, by: loop)
    if isContinuation { announceDiscontinuity(of: routes, at: loop.startedAt) }
    changeState { storage in
      storage.loops.append(loop)
      storage.cameraStates[ObjectIdentifier(input)] = .running
    }
    if case .interrupted(let error) = beginning {
      for route in routes { route.connection.suspend(because: error) }
      note(.interrupted(to: error), of: input, because: error)
    }
    try run(loop, routes)
  }

  private func run(_ loop: StreamLoop, _ routes: [StreamLoop.Route]) throws {
    do {
      try loop.run { [weak self, unowned loop] error in
        Self.announceEnd(of: loop.takeRoutes(), error)
        if let error { self?.cameraFailed(loop, error) }
      }
    } catch {
      stopLoops([loop])
      Self.announceEnd(of: routes, error)
      throw error
    }
  }

  /// Opens and starts a camera; with less where the USB bus has no room and that is allowed.
  private func openStream(
    _ device: CaptureDevice, _ request: CaptureFormat, mayReduce: Bool
  ) throws -> (any CaptureStream, CaptureFormat) {
    try notingDisconnection(of: device) {
      let stream = try device.backend.open(device.description)
      let budget = BusBudget(load: device.busLoad, formats: device.formats)
      guard let error = try refusal(of: request, by: stream, device, budget) else {
        return (stream, request)
      }
      let less = mayReduce ? budget.alternatives(to: request) : []
      for format in less where (try? stream.start(format)) != nil {
        let change = CaptureDiagnostic(
          .warning, .bandwidthReduced, of: device,
          "The USB bus has no room for \(request) of \(device.localizedName): \(format) is used.",
          error: error)
        tell(change, in: device.environment)
        return (stream, format)
      }
      throw error
    }
  }

  /// Starts a stream unless its bus has no room for it.
  ///
  /// - Returns: Why there is none, as far as that is known before, or as the driver says; nil where
  ///   the stream runs.
  private func refusal(
    of request: CaptureFormat, by stream: any CaptureStream, _ device: CaptureDevice,
    _ budget: BusBudget
  ) throws -> CaptureError? {
    guard budget.hasRoom(for: request) else {
      return budget.error(for: request, of: device.localizedName)
    }
    do {
      try stream.start(request)
      return nil
    } catch let error as CaptureError where error.code == .usbBandwidth {
      return budget.error(for: request, of: device.localizedName, refusal: error)
    }
  }

  private func watcher(of input: CaptureDeviceInput) -> StreamLoop.Watcher {
    StreamLoop.Watcher(
      onState: { [weak self] state, error in self?.note(state, of: input, because: error) },
      onDiagnostic: { [weak self] in self?.tell($0, in: input.device.environment) })
  }

  /// Runs a call of a device's backend; its errors become this module's.
  func notingDisconnection<Value>(
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

  static func announceEnd(of routes: [StreamLoop.Route], _ error: CaptureError?) {
    for route in routes {
      route.connection.deactivate()
      route.output.connection(route.connection, didEndWith: error)
    }
  }

  /// Tells outputs that frames follow; does nothing while none do.
  ///
  /// - Returns: The start that they were told of.
  @discardableResult
  func announceStart(of routes: [StreamLoop.Route], by loop: StreamLoop) -> HostTime {
    let startedAt = loop.startedAt
    guard let format = loop.deliveredFormat else { return startedAt }
    for route in routes {
      route.output.connection(route.connection, didStartWith: format, at: startedAt)
      route.connection.activate(format, by: loop)
    }
    return startedAt
  }

  /// Stops cameras and waits until they are closed.
  ///
  /// - Parameters:
  ///   - loops: The cameras' loops.
  ///   - finish: What changes together with their end.
  func stopLoops(_ loops: [StreamLoop], finish: (inout Storage) -> Void = { _ in }) {
    for loop in loops { loop.requestStop() }
    for loop in loops where !loop.waitUntilStopped() {
      record(
        CaptureError(
          .streamFailed, "\(loop.device.localizedName) does not stop: its driver is stuck."))
    }
    let ended = loops.map { (loop: $0, id: ObjectIdentifier($0.input), statistics: $0.statistics) }
    changeState { storage in
      for (loop, id, statistics) in ended where storage.loops.contains(where: { $0 === loop }) {
        let past = storage.pastStatistics[id] ?? CaptureStatistics()
        storage.pastStatistics[id] = past + statistics
        storage.loops.removeAll { $0 === loop }
        storage.cameraStates[id] = nil
      }
      finish(&storage)
      storage.forgetDepartedInputs()
    }
  }

  /// A camera ended by itself; called as the last thing on its thread.
  private func cameraFailed(_ loop: StreamLoop, _ error: CaptureError) {
    record(error)
    transitions.async { [weak self] in
      guard let self else { return }
      // The session may have been stopped, and started again, since.
      let isCurrent = storage.withLock { storage in storage.loops.contains { $0 === loop } }
      stopLoops([loop]) { storage in
        guard storage.isStarted, isCurrent else { return }
        storage.cameraStates[ObjectIdentifier(loop.input)] = .failed(error)
        guard storage.loops.isEmpty else { return }
        storage.isStarted = false
        storage.failure = error
      }
      if isCurrent, !isStarted { announceEndOfDelivery() }
    }
  }
}

extension CaptureSession.State {
  fileprivate static func interrupted(to error: CaptureError) -> Self {
    CaptureSession.InterruptionReason(error.code).map { .interrupted([$0]) } ?? .running
  }
}
