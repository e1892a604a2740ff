/// Decides what is tried for a camera that does not deliver; pure.
struct RecoveryPolicy: Sendable {
  /// What has happened.
  enum Fault: Equatable, Sendable {
    case stalled
    case damagedRun
    /// A call of the camera failed.
    case failed(CaptureError.Code)
  }

  /// What is to be done next.
  enum Action: Equatable, Sendable {
    case step(CaptureSession.RecoveryStep, after: Duration)
    /// Nothing is broken: look again after some time.
    case wait(CaptureSession.InterruptionReason, retryAfter: Duration)
    case giveUp
  }

  /// Pictures for this long mean that the camera is well again.
  static let probation = Duration.seconds(10)

  let settings: CaptureRecovery
  /// Whether an unplugged camera is waited for.
  let resumesAfterReconnect: Bool
  private var restarts = 0
  private var reopens = 0
  private var hasReset = false
  private var waits = 0
  private var sourceChanges = 0
  private var damagedInARow = 0
  private var steadySince: HostTime?

  init(_ settings: CaptureRecovery, resumesAfterReconnect: Bool = false) {
    self.settings = settings
    self.resumesAfterReconnect = resumesAfterReconnect
  }

  private var isOnTheLadder: Bool { restarts + reopens + sourceChanges > 0 || hasReset }

  /// A whole frame was delivered.
  mutating func wholeFrame(at now: HostTime) {
    damagedInARow = 0
    guard isOnTheLadder else { return }
    guard let steadySince else {
      self.steadySince = now
      return
    }
    guard steadySince.duration(to: now) >= Self.probation else { return }
    self = RecoveryPolicy(settings, resumesAfterReconnect: resumesAfterReconnect)
  }

  /// A damaged frame was dropped.
  ///
  /// - Returns: Whether that makes a fault.
  mutating func damagedFrame() -> Bool {
    damagedInARow += 1
    return damagedInARow >= max(1, settings.damagedFrameLimit)
  }

  /// The stream was started.
  mutating func started() {
    waits = 0
    damagedInARow = 0
    steadySince = nil
  }

  /// What is to be done about a fault.
  ///
  /// - Parameters:
  ///   - fault: The fault.
  ///   - isOpen: Whether there is a stream that could be restarted.
  /// - Returns: The next step.
  mutating func next(after fault: Fault, isOpen: Bool) -> Action {
    steadySince = nil
    damagedInARow = 0
    guard case .failed(let code) = fault else { return nextStep(isOpen: isOpen) }
    switch code {
    case .inUse: return wait(.videoDeviceInUseByAnotherClient)
    case .noSignal: return wait(.noSignal)
    case .privacyShutter: return wait(.privacyShutter)
    case .disconnected, .noDevice:
      return resumesAfterReconnect ? wait(.videoDeviceDisconnected) : .giveUp
    case .sourceChanged:
      sourceChanges += 1
      // A cable that is being plugged in changes several times.
      return .step(.renegotiate, after: .milliseconds(100) * min(sourceChanges - 1, 20))
    // A driver that refuses its buffers for once is one that has had them: `notACamera` is tried
    // again.
    case .notPermitted, .usbBandwidth, .unsupportedFormat: return .giveUp
    default: return nextStep(isOpen: isOpen)
    }
  }

  private mutating func wait(_ reason: CaptureSession.InterruptionReason) -> Action {
    waits += 1
    let retry = Duration.milliseconds(250) * (1 << min(waits - 1, 3))
    return .wait(reason, retryAfter: retry)
  }

  private mutating func nextStep(isOpen: Bool) -> Action {
    if isOpen, restarts < settings.restartLimit {
      restarts += 1
      return .step(.restart, after: .milliseconds(100) * (restarts - 1))
    }
    if reopens < settings.reopenLimit {
      reopens += 1
      return .step(.reopen, after: .milliseconds(500) * (reopens - 1))
    }
    if settings.resetsUSBDevice, !hasReset {
      hasReset = true
      // The rungs below are worth another try on a device that has come back to its senses.
      (restarts, reopens) = (settings.restartLimit, max(1, settings.reopenLimit) - 1)
      return .step(.usbReset, after: .zero)
    }
    return .giveUp
  }
}

// MARK: - Stalls

extension RecoveryPolicy {
  /// How long nothing may come.
  ///
  /// - Parameters:
  ///   - frameDuration: The time between frames; nil where nobody knows.
  ///   - isFirst: Whether the stream has just been started, which takes cameras longer.
  /// - Returns: nil where silence is no fault.
  func stallLimit(frameDuration: Duration?, isFirst: Bool) -> Duration? {
    switch settings.stallLimit {
    case .never: return nil
    case .after(let limit): return max(.milliseconds(1), limit)
    case .automatic:
      let bounds = (least: Duration.seconds(2), most: Duration.seconds(10))
      let usual = frameDuration.map { duration in
        max(min(max(duration * 30, bounds.least), bounds.most), duration * 3)
      }
      let limit = usual ?? .seconds(5)
      return isFirst ? max(limit * 2, .seconds(5)) : limit
    }
  }
}
