import Dispatch
import Synchronization

extension CaptureSession {
  /// What the session does by itself for a camera that stops sending pictures; takes effect with
  /// the next start.
  public var recovery: CaptureRecovery {
    get { storage.withLock { $0.recovery } }
    set { storage.withLock { $0.recovery = newValue } }
  }

  /// Whether the session waits for a camera that is unplugged, and goes on with it when it is back;
  /// false until it is set. Takes effect with the next start.
  ///
  /// Without it an unplugged camera ends, as on Apple's systems. With it the session is interrupted
  /// with the reason `videoDeviceDisconnected`. The camera that comes back is another
  /// ``CaptureDevice`` with the same ``CaptureDevice/uniqueID``; it takes the old one's place in
  /// the session's input, whose connections stay. What was chosen for the old one,
  /// ``CaptureDevice/activeFormat`` and the frame durations, is chosen for the new one, unless
  /// something was chosen for that already.
  public var resumesAfterReconnect: Bool {
    get { storage.withLock { $0.resumesAfterReconnect } }
    set { storage.withLock { $0.resumesAfterReconnect = newValue } }
  }

  /// Is told what goes wrong with the session's cameras, and what is put right; nil, and silent,
  /// until set.
  ///
  /// Called on a queue of the session's own, in order. It takes precedence over the environment's,
  /// ``CaptureEnvironment/diagnosticHandler``.
  public var diagnosticHandler: (@Sendable (CaptureDiagnostic) -> Void)? {
    get { storage.withLock { $0.diagnosticHandler } }
    set {
      let old = storage.withLock { storage in
        defer { storage.diagnosticHandler = newValue }
        return storage.diagnosticHandler
      }
      // Let go of after unlocking: what it holds may stop the session as it goes.
      withExtendedLifetime(old) {}
    }
  }

  func tell(_ diagnostic: CaptureDiagnostic, in environment: CaptureEnvironment) {
    guard let handler = diagnosticHandler ?? environment.diagnosticHandler else { return }
    announcements.async { handler(diagnostic) }
  }
}
