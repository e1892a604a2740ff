public import Foundation
import Synchronization

extension CaptureSession {
  /// Why a camera's pictures do not come although nothing is broken.
  ///
  /// The values 1 to 5 are those of Apple's `AVCaptureSession.InterruptionReason`; of them only
  /// ``videoDeviceInUseByAnotherClient`` happens on Linux.
  public enum InterruptionReason: Int, Hashable, Sendable, CaseIterable {
    /// Apple's systems only.
    case videoDeviceNotAvailableInBackground = 1
    /// Apple's systems only.
    case audioDeviceInUseByAnotherClient = 2
    /// Another program has the camera; the session goes on when it lets go.
    case videoDeviceInUseByAnotherClient = 3
    /// Apple's systems only.
    case videoDeviceNotAvailableWithMultipleForegroundApps = 4
    /// Apple's systems only.
    case videoDeviceNotAvailableDueToSystemPressure = 5
    /// Nothing arrives at the camera's input (`V4L2_IN_ST_NO_SIGNAL` and its like).
    case noSignal = 1001
    /// The camera's shutter is closed, or its switch is off (`V4L2_CID_PRIVACY`).
    case privacyShutter = 1002
    /// The camera was unplugged, and the session waits for it: see
    /// ``CaptureSession/resumesAfterReconnect``.
    case videoDeviceDisconnected = 1003

    init?(_ code: CaptureError.Code) {
      switch code {
      case .inUse: self = .videoDeviceInUseByAnotherClient
      case .noSignal: self = .noSignal
      case .privacyShutter: self = .privacyShutter
      default: return nil
      }
    }
  }

  /// What is being done for a camera that stopped sending pictures; see ``CaptureRecovery``.
  public enum RecoveryStep: String, Hashable, Sendable, CaseIterable {
    /// The stream is stopped and started.
    case restart
    /// The camera is closed and opened again.
    case reopen
    /// The camera's USB port is reset.
    case usbReset
    /// The source has changed: the stream is started in its new form.
    case renegotiate
  }

  /// How a session, or one of its cameras, is.
  public enum State: Hashable, Sendable {
    /// Not started, or stopped.
    case stopped
    /// Pictures come, or are about to.
    case running
    /// Nothing comes for these reasons; it goes on by itself when they are over.
    case interrupted(Set<InterruptionReason>)
    /// Nothing comes, and this is being done about it.
    case recovering(RecoveryStep)
    /// It has ended by itself.
    case failed(CaptureError)
  }

  /// How the session is.
  ///
  /// Of several cameras the one decides that needs attention most: one that is being recovered,
  /// else one that is interrupted. A session has failed when its last camera has; for each by
  /// itself see ``state(of:)``.
  public var state: State { storage.withLock { $0.sessionState } }

  /// How one camera of the session is; `stopped` for an input of another session.
  public func state(of input: CaptureDeviceInput) -> State {
    storage.withLock { $0.cameraStates[ObjectIdentifier(input)] ?? .stopped }
  }

  /// How the session is now, and each state that follows.
  ///
  /// Any number of tasks may follow it, each from its own moment on. One that is slow misses the
  /// oldest of more than a hundred states. It ends with the session.
  public var states: AsyncStream<State> {
    let (stream, continuation) = AsyncStream<State>.makeStream(
      bufferingPolicy: .bufferingNewest(128))
    let id = UUID()
    continuation.onTermination = { [weak self] _ in
      self?.storage.withLock { _ = $0.observers.removeValue(forKey: id) }
    }
    storage.withLock { storage in
      storage.observers[id] = continuation
      continuation.yield(storage.sessionState)
    }
    return stream
  }

  /// Ends the loops over ``states``: no state follows.
  func endStates() {
    let observers = storage.withLock { $0.observers.values }
    for observer in observers { observer.finish() }
  }

  /// Whether all cameras of the session are interrupted, so that nothing comes.
  ///
  /// ``isRunning`` is false meanwhile, as on Apple's systems; the session goes on by itself when
  /// the interruption is over, unless it is stopped.
  public var isInterrupted: Bool { storage.withLock { $0.isInterrupted } }
}

// MARK: - Notifications

extension CaptureSession {
  /// Posted when a camera of the session is interrupted; `userInfo` has the reason's raw value as
  /// an `Int` under ``interruptionReasonKey``, why in words under ``errorKey``, and the camera's
  /// ``CaptureDeviceInput`` under ``inputKey``.
  public static let wasInterruptedNotification = Notification.Name("CaptureSessionWasInterrupted")
  /// Posted when a camera's interruption is over; `userInfo` has its input under ``inputKey``.
  public static let interruptionEndedNotification = Notification.Name(
    "CaptureSessionInterruptionEnded")
  /// The key of an ``InterruptionReason``'s raw value in a notification's `userInfo`.
  public static let interruptionReasonKey = "CaptureSessionInterruptionReasonKey"
  /// The key of a ``CaptureDeviceInput`` in a notification's `userInfo`.
  public static let inputKey = "CaptureSessionInputKey"
}

// MARK: - Changing it

extension CaptureSession.Storage {
  var interruptions: [CaptureSession.InterruptionReason] {
    cameraStates.values.flatMap { state -> [CaptureSession.InterruptionReason] in
      if case .interrupted(let reasons) = state { Array(reasons) } else { [] }
    }
  }

  /// Whether there are cameras and all of them wait.
  var isInterrupted: Bool {
    isStarted && !loops.isEmpty
      && loops.allSatisfy { loop in
        if case .interrupted = cameraStates[ObjectIdentifier(loop.input)] { true } else { false }
      }
  }

  var isRunning: Bool { isStarted && !isInterrupted }

  var sessionState: CaptureSession.State {
    guard isStarted else { return failure.map { .failed($0) } ?? .stopped }
    for state in cameraStates.values {
      if case .recovering = state { return state }
    }
    let reasons = interruptions
    return reasons.isEmpty ? .running : .interrupted(Set(reasons))
  }
}

extension CaptureSession {
  /// Changes what states follow from, and tells who follows them.
  func changeState<Value>(_ body: (inout Storage) -> Value) -> Value {
    let (value, before, after) = storage.withLock { storage in
      let (state, isRunning) = (storage.sessionState, storage.isRunning)
      let value = body(&storage)
      let changed = storage.sessionState
      // Yielding resumes nobody here; under the lock, so that all see the same order.
      if changed != state { for one in storage.observers.values { one.yield(changed) } }
      return (value, isRunning, storage.isRunning)
    }
    if after, !before { post(Self.didStartRunningNotification) }
    if before, !after { post(Self.didStopRunningNotification) }
    return value
  }

  /// A camera of the session is in another state.
  func note(_ state: State, of input: CaptureDeviceInput, because error: CaptureError?) {
    let old = changeState { storage in
      defer { storage.cameraStates[ObjectIdentifier(input)] = state }
      return storage.cameraStates[ObjectIdentifier(input)] ?? .stopped
    }
    guard old != state else { return }
    if case .interrupted(let reasons) = state, let reason = reasons.first {
      if let error { storage.withLock { $0.lastError = error } }
      post(
        Self.wasInterruptedNotification, of: input,
        [Self.interruptionReasonKey: reason.rawValue], error: error)
    } else if case .interrupted = old {
      post(Self.interruptionEndedNotification, of: input, [:], error: nil)
    }
  }
}
