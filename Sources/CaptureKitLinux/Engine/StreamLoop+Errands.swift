import Synchronization

// On the camera's thread.
extension StreamLoop {
  /// Carries out the stays in other formats that were asked for, and goes back.
  ///
  /// - Returns: Why the camera could not go back.
  func runErrands(_ stream: any CaptureStream, _ course: inout Course) -> Trouble? {
    let detours = state.withLock { state in
      defer { state.detours = [] }
      return state.detours
    }
    disarm(&course)
    let now = clock.now
    var hasLeft = false
    for detour in detours {
      guard detour.deadline > now, !isStopping else {
        detour.onEnd(isStopping ? CaptureError(.stopped) : CaptureError(.timedOut))
        continue
      }
      hasLeft = true
      stream.stop()
      detour.onEnd(run(detour, on: stream))
    }
    guard hasLeft, !isStopping else { return nil }
    stream.stop()
    do {
      try stream.start(settledRequest)
    } catch {
      return Trouble(.wrapping(error))
    }
    announceRestart(of: stream, &course)
    rearm(&course, for: stream, isFirst: true)
    return nil
  }

  /// - Returns: Why it was in vain; nil where `receive` was satisfied.
  private func run(_ detour: FormatDetour, on stream: any CaptureStream) -> CaptureError? {
    do {
      try stream.start(detour.format)
      detour.onStart(stream.deliveredFormat ?? detour.format, clock.now)
      let alarm = clock.scheduleAlarm(at: detour.deadline) { [weak stream] in stream?.interrupt() }
      defer { alarm.cancel() }
      var inspector = FrameInspector()
      while !isStopping {
        guard let frame = try stream.nextFrame(before: .now + .seconds(1)) else {
          if clock.now >= detour.deadline { return CaptureError(.timedOut) }
          continue
        }
        let verdict = inspector.inspect(frame, now: clock.now)
        if verdict.drop == nil, detour.receive(frame.stamped(verdict.timestamp)) { return nil }
        if clock.now >= detour.deadline { return CaptureError(.timedOut) }
      }
      return CaptureError(.stopped)
    } catch {
      return .wrapping(error)
    }
  }

  /// Ends the stays whose time has passed while the camera could not be had.
  func endOverdueErrands() {
    let now = clock.now
    let overdue = state.withLock { state in
      defer { state.detours.removeAll { $0.deadline <= now } }
      return state.detours.filter { $0.deadline <= now }
    }
    for detour in overdue { detour.onEnd(CaptureError(.timedOut)) }
  }

  /// No stay in another format will come to be.
  func endErrands(_ error: CaptureError) {
    let detours = state.withLock { state in
      // None is taken up from here on.
      state.isStopping = true
      defer { state.detours = [] }
      return state.detours
    }
    for detour in detours { detour.onEnd(error) }
  }
}
