import Synchronization

// On the camera's thread.
extension StreamLoop {
  /// What the thread keeps from frame to frame.
  struct Course {
    var policy: RecoveryPolicy
    var inspector = FrameInspector()
    /// When the camera sent something last, or was started.
    var lastSign = HostTime(nanoseconds: 0)
    /// Nil where the stream may be silent for ever.
    var stallAlarm: StallAlarm?
    var faults = RepeatedFaults()
    /// Whether a whole frame has come since the stream was started.
    var hasPictures = false
    /// Whether the outputs were told of a start already.
    var hasStarted: Bool
    var toldInterruption: CaptureSession.InterruptionReason?
    var isRecovering = false
    var isInterrupted = false
    var transientErrorCount: UInt64 = 0
  }

  /// A fault, and its error where it has one.
  struct Trouble {
    let fault: RecoveryPolicy.Fault
    let error: CaptureError

    init(_ error: CaptureError) {
      fault = .failed(error.code)
      self.error = error
    }

    init(_ fault: RecoveryPolicy.Fault, _ error: CaptureError) {
      self.fault = fault
      self.error = error
    }
  }

  /// The longest wait for a frame before the loop looks around; nothing depends on it.
  private static let longestWait = Duration.seconds(1)

  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Hands frames out until the loop is to stop or something goes wrong.
  func deliverUntilTrouble(_ stream: any CaptureStream, _ course: inout Course) -> Trouble? {
    rearm(&course, for: stream, isFirst: true)
    defer { disarm(&course) }
    while true {
      let (isStopping, hasErrands) = state.withLock { ($0.isStopping, !$0.detours.isEmpty) }
      if isStopping { return nil }
      do {
        if hasErrands, let trouble = runErrands(stream, &course) { return trouble }
        if let frame = try stream.nextFrame(before: .now + Self.longestWait) {
          if let trouble = handle(frame, of: stream, &course) { return trouble }
        } else if let trouble = try lookAround(stream, &course) {
          return trouble
        }
      } catch {
        return self.isStopping ? nil : Trouble(.wrapping(error))
      }
    }
  }

  /// Nothing has come: is it too long?
  private func lookAround(
    _ stream: any CaptureStream, _ course: inout Course
  ) throws -> Trouble? {
    guard let alarm = course.stallAlarm else { return nil }
    if alarm.isOverdue(at: clock.now) {
      // What is there already has only not been picked up, by a thread that was held up.
      guard let frame = try stream.nextFrame(before: .now) else {
        guard !isStopping, alarm.isOverdue(at: clock.now) else { return nil }
        state.withLock { $0.counters.stalls &+= 1 }
        return Trouble(.stalled, .stalled(device, alarm.limit))
      }
      if let trouble = handle(frame, of: stream, &course) { return trouble }
    }
    if let alarm = course.stallAlarm, alarm.hasRung {
      rearm(&course, for: stream, isFirst: !course.hasPictures, keepsSign: true)
    }
    return nil
  }

  private func handle(
    _ frame: CapturedFrame, of stream: any CaptureStream, _ course: inout Course
  ) -> Trouble? {
    let now = clock.now
    let verdict = course.inspector.inspect(frame, now: now)
    deliver(frame, verdict: verdict, at: now)
    noteTransientErrors(stream, &course)
    course.lastSign = now
    course.stallAlarm?.note(signAt: now)
    note(verdict, &course)
    switch verdict.drop {
    case nil:
      course.policy.wholeFrame(at: now)
      if !course.hasPictures { firstPicture(of: stream, &course) }
    case .corrupt:
      if course.policy.damagedFrame() {
        return Trouble(.damagedRun, .damagedRun(device, course.policy.settings.damagedFrameLimit))
      }
    default: break
    }
    return nil
  }

  private func firstPicture(of stream: any CaptureStream, _ course: inout Course) {
    course.hasPictures = true
    rearm(&course, for: stream, isFirst: false, keepsSign: true)
    watcher.onState(.running, nil)
    guard course.isRecovering else { return }
    course.isRecovering = false
    tellRecovery(&course)
  }

  /// Sets the alarm that wakes the thread where nothing comes.
  func rearm(
    _ course: inout Course, for stream: any CaptureStream, isFirst: Bool, keepsSign: Bool = false
  ) {
    disarm(&course)
    if !keepsSign { course.lastSign = clock.now }
    let duration = deliveredFormat?.frameDuration?.duration
    course.stallAlarm = course.policy.stallLimit(frameDuration: duration, isFirst: isFirst).map {
      StallAlarm(limit: $0, since: course.lastSign, clock: clock) { [weak stream] in
        stream?.interrupt()
      }
    }
  }

  func disarm(_ course: inout Course) {
    course.stallAlarm?.cancel()
    course.stallAlarm = nil
  }

  private func noteTransientErrors(_ stream: any CaptureStream, _ course: inout Course) {
    let count = stream.transientErrorCount
    guard count != course.transientErrorCount else { return }
    let new = count &- course.transientErrorCount
    course.transientErrorCount = count
    state.withLock { $0.counters.retries &+= new }
    tell(.driverError, .transient(device), &course)
  }

  private func deliver(_ frame: CapturedFrame, verdict: FrameInspector.Verdict, at now: HostTime) {
    frame.storage.conversion?.count(on: conversions)
    let routes = state.withLock { state in
      state.count(verdict, at: now)
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

extension CaptureError {
  fileprivate static func stalled(_ device: CaptureDevice, _ limit: Duration) -> CaptureError {
    CaptureError(
      .streamFailed,
      "\(device.localizedName) sent nothing for \(limit): look at its cable, or plug it in anew.")
  }

  fileprivate static func damagedRun(_ device: CaptureDevice, _ count: Int) -> CaptureError {
    CaptureError(
      .corruptFrame,
      "\(device.localizedName) sent \(count) damaged frames in a row: look at its cable, or choose "
        + "a format that needs less bandwidth.")
  }

  fileprivate static func transient(_ device: CaptureDevice) -> CaptureError {
    CaptureError(
      .streamFailed,
      "The driver of \(device.localizedName) lost a frame to an error and was put right.")
  }
}
