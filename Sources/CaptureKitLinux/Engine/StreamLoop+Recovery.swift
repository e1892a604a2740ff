import Dispatch
import Synchronization

// On the camera's thread.
extension StreamLoop {
  /// The camera's whole life: deliver, bring it back, deliver …
  ///
  /// - Returns: Why it ended; nil where it was asked to.
  func runUntilEnd() -> CaptureError? {
    let policy = RecoveryPolicy(recovery, resumesAfterReconnect: resumesAfterReconnect)
    let beginning = state.withLock { $0.beginning }
    var course = Course(policy: policy, hasStarted: beginning == nil)
    var trouble = beginning.map { Trouble($0) }
    var end: CaptureError?
    while !isStopping {
      if let current = trouble {
        end = bringBack(after: current, &course)
        if end != nil { break }
        trouble = nil
      }
      guard let stream = state.withLock({ $0.stream }), !isStopping else { break }
      trouble = deliverUntilTrouble(stream, &course)
    }
    dropStream()
    endLookout()
    endErrands(end ?? CaptureError(.stopped))
    close(&course)
    return end
  }

  /// Climbs the ladder until the stream runs again.
  ///
  /// - Returns: Why nothing helped; nil where it runs, or the loop is to stop.
  private func bringBack(after first: Trouble, _ course: inout Course) -> CaptureError? {
    var trouble = first
    course.isRecovering = true
    while !isStopping {
      endOverdueErrands()
      noteDisconnection(trouble)
      let isOpen = state.withLock { $0.stream != nil }
      let action = course.policy.next(after: trouble.fault, isOpen: isOpen)
      tell(trouble, leadingTo: action, &course)
      do {
        switch action {
        case .giveUp: return trouble.error
        case .step(let step, let pause):
          try take(step, after: pause, because: trouble.error)
        case .wait(let reason, let pause):
          try wait(for: reason, pause, because: trouble.error, &course)
        }
        guard !isStopping else { return nil }
        try startAnew(&course)
        return nil
      } catch {
        trouble = Trouble(.wrapping(error))
      }
    }
    return nil
  }

  private func noteDisconnection(_ trouble: Trouble) {
    guard trouble.error.code == .disconnected else { return }
    let old = device
    // Before anybody can have found it again.
    let others = old.environment.knownDevices.filter { $0 !== old }
    state.withLock { $0.bystanders = others }
    old.noteLoss()
  }

  // MARK: Steps

  private func take(
    _ step: CaptureSession.RecoveryStep, after wait: Duration, because error: CaptureError
  ) throws {
    watcher.onState(.recovering(step), error)
    state.withLock { $0.counters.count(step) }
    switch step {
    case .restart, .renegotiate: stopStream()
    case .reopen, .usbReset: dropStream()
    }
    pause(wait)
    guard !isStopping else { return }
    switch step {
    case .restart, .renegotiate: break
    case .reopen: try open()
    case .usbReset: try resetUSBDevice()
    }
  }

  /// The kernel takes the drivers away and gives them back: for programs the camera is unplugged
  /// and plugged in.
  private func resetUSBDevice() throws {
    lookForReplacement()
    defer { endLookout() }
    try device.backend.reset(device.description)
    for isLast in [false, false, false, false, true] {
      pause(.seconds(1))
      guard !isStopping else { return }
      do {
        if let found = takeFound() { input.rebind(to: found) }
        return try open()
      } catch let error as CaptureError where error.code == .disconnected && !isLast {
        continue
      }
    }
  }

  private func wait(
    for reason: CaptureSession.InterruptionReason, _ wait: Duration, because error: CaptureError,
    _ course: inout Course
  ) throws {
    suspend(because: error, isNew: !course.isInterrupted)
    course.isInterrupted = true
    watcher.onState(.interrupted([reason]), error)
    if reason == .noSignal || reason == .privacyShutter {
      stopStream()
    } else {
      dropStream()
    }
    if reason == .videoDeviceDisconnected { lookForReplacement() }
    pause(wait)
    guard !isStopping else { return }
    if reason == .videoDeviceDisconnected { try takeReplacement() }
    if state.withLock({ $0.stream == nil }) { try open() }
  }

  /// New photos are told why there are none.
  private func suspend(because error: CaptureError, isNew: Bool) {
    let routes = state.withLock { state in
      if isNew { state.counters.interruptions &+= 1 }
      state.deliveredFormat = nil
      return state.routes
    }
    for route in routes { route.connection.suspend(because: error) }
  }

  private func open() throws {
    let stream = try device.backend.open(device.description)
    state.withLock { $0.stream = stream }
  }

  private func stopStream() {
    state.withLock { $0.stream }?.stop()
  }

  /// Stops and closes the camera.
  private func dropStream() {
    stopStream()
    state.withLock { $0.stream = nil }
  }

  private func startAnew(_ course: inout Course) throws {
    guard let stream = state.withLock({ $0.stream }) else { return }
    try stream.start(settledRequest)
    endLookout()
    announceRestart(of: stream, &course)
  }

  /// The stream runs again: frames are counted afresh, and the outputs know of the break.
  func announceRestart(of stream: any CaptureStream, _ course: inout Course) {
    let format = stream.deliveredFormat ?? settledRequest
    let now = clock.now
    course.policy.started()
    course.inspector = FrameInspector()
    course.hasPictures = false
    course.isInterrupted = false
    let isBreak = course.hasStarted
    course.hasStarted = true
    course.transientErrorCount = stream.transientErrorCount
    let routes = state.withLock { state in
      state.deliveredFormat = format
      state.startedAt = now
      if isBreak { state.counters.discontinuities &+= 1 }
      state.counters.nominalFrameDuration = format.frameDuration
      return state.routes
    }
    for route in routes {
      route.output.connection(route.connection, didStartWith: format, at: now)
      route.connection.activate(format, by: self)
      guard isBreak else { continue }
      route.output.connection(route.connection, didDrop: DroppedFrame(.discontinuity, at: now))
    }
  }

  // MARK: Waiting

  /// Waits on the clock; ends early where the loop is to stop or was poked.
  func pause(_ duration: Duration) {
    guard duration > .zero else { return }
    let isOver = Alarm()
    let alarm = clock.schedule(at: clock.now.advanced(by: duration)) { [wake] in
      isOver.ring()
      wake.signal()
    }
    defer { alarm.cancel() }
    while !isOver.hasRung {
      let mayGoOn = state.withLock { state in
        defer { state.isPoked = false }
        return state.isStopping || state.isPoked
      }
      if mayGoOn { return }
      wake.wait()
    }
  }

  private final class Alarm: Sendable {
    private let rung = Atomic(false)
    var hasRung: Bool { rung.load(ordering: .acquiring) }
    func ring() { rung.store(true, ordering: .releasing) }
  }

  // MARK: The same camera, plugged in again

  /// Looks for the camera's new object until it is there, or nobody waits any more.
  private func lookForReplacement() {
    let old = device
    let (isLooking, bystanders) = state.withLock { ($0.lookout != nil, $0.bystanders) }
    guard !isLooking else { return }
    let lookout = Task.detached { [weak self] in
      // Asked for first: what comes after the look at those that are there already is told.
      var changes = old.environment.deviceChanges.makeAsyncIterator()
      let present = old.environment.knownDevices.first { device in
        device !== old && device.isConnected && !bystanders.contains { $0 === device }
          && CaptureDevice.isSameCamera(device.uniqueID, old.uniqueID)
      }
      if let present { self?.found(present) }
      while let change = await changes.next() {
        // A twin that came meanwhile has given the id a port, or one that went has taken it away.
        guard case .connected(let device) = change,
          CaptureDevice.isSameCamera(device.uniqueID, old.uniqueID)
        else { continue }
        self?.found(device)
      }
    }
    state.withLock { $0.lookout = lookout }
  }

  private func found(_ replacement: CaptureDevice) {
    state.withLock { $0.replacement = replacement }
    poke()
  }

  private func endLookout() {
    state.withLock { state in
      defer { state.lookout = nil }
      return state.lookout
    }?.cancel()
  }

  private func takeReplacement() throws {
    guard let found = takeFound() else { throw CaptureError.disconnected(device) }
    input.rebind(to: found)
  }

  private func takeFound() -> CaptureDevice? {
    state.withLock { state in
      defer { state.replacement = nil }
      return state.replacement
    }
  }
}
