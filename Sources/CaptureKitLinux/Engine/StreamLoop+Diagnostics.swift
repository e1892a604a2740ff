// On the camera's thread.
extension StreamLoop {
  /// Takes note of a frame that was not delivered, and of faults that are over.
  func note(_ verdict: FrameInspector.Verdict, _ course: inout Course) {
    if verdict.lost > 0 { tell(.lostFrames, nil, count: verdict.lost, &course) }
    switch verdict.drop {
    case .corrupt: tell(.damagedFrames, nil, &course)
    case .duplicate: tell(.duplicateFrames, nil, &course)
    case .outOfBuffers: tell(.outOfBuffers, nil, &course)
    case nil: endFaults(course.faults.takeEnded(at: course.lastSign))
    default: break
    }
  }

  /// Tells a fault that may repeat; once.
  func tell(
    _ code: CaptureDiagnostic.Code, _ error: CaptureError?, count: UInt64 = 1,
    _ course: inout Course
  ) {
    guard course.faults.happened(code, count: count, at: clock.now) else { return }
    watcher.onDiagnostic(
      CaptureDiagnostic(
        .warning, code, of: device, error?.description ?? code.sentence(of: device), error: error))
  }

  /// Tells a fault and what is done about it.
  func tell(
    _ trouble: Trouble, leadingTo action: RecoveryPolicy.Action, _ course: inout Course
  ) {
    let (severity, code, step): (CaptureDiagnostic.Severity, CaptureDiagnostic.Code, String)
    switch action {
    case .giveUp: (severity, code, step) = (.error, .failure, "")
    case .wait(let reason, _):
      guard course.toldInterruption != reason else { return }
      course.toldInterruption = reason
      (severity, code, step) = (.warning, .interruption, " The session goes on when that is over.")
    case .step(.renegotiate, _): (severity, code, step) = (.info, .sourceChange, "")
    case .step(let next, _):
      code = trouble.fault == .stalled ? .stall : .fault
      (severity, step) = (.warning, " Next step: \(next.sentence).")
    }
    watcher.onDiagnostic(
      CaptureDiagnostic(
        severity, code, of: device, trouble.error.description + step, error: trouble.error))
  }

  func tellRecovery(_ course: inout Course) {
    course.toldInterruption = nil
    watcher.onDiagnostic(
      CaptureDiagnostic(
        .info, .recovered, of: device, "\(device.localizedName) sends pictures again."))
  }

  /// The camera has ended; all that was told is over.
  func close(_ course: inout Course) {
    endFaults(course.faults.takeEnded(at: nil))
  }

  private func endFaults(_ ended: [RepeatedFaults.Ended]) {
    for fault in ended {
      watcher.onDiagnostic(
        CaptureDiagnostic(
          .info, fault.code, of: device, "Over: " + fault.code.sentence(of: device),
          count: fault.count, isOver: true))
    }
  }
}

extension CaptureSession.RecoveryStep {
  fileprivate var sentence: String {
    switch self {
    case .restart: "the stream is restarted"
    case .reopen: "the camera is closed and opened again"
    case .usbReset: "the camera's USB port is reset"
    case .renegotiate: "the stream is started in its new form"
    }
  }
}

extension CaptureDiagnostic.Code {
  fileprivate func sentence(of device: CaptureDevice) -> String {
    let name = device.localizedName
    return switch self {
    case .damagedFrames:
      "\(name) sends damaged frames: look at its cable, or choose less bandwidth."
    case .lostFrames: "Frames of \(name) were lost before they came here."
    case .duplicateFrames: "The driver of \(name) delivers frames twice."
    case .outOfBuffers: "Frames of \(name) were dropped: let go of those that are kept."
    case .driverError: "The driver of \(name) met passing errors."
    default: "\(name): \(self)."
    }
  }
}
