import CaptureKitLinux
import Foundation

/// Tells of a session's errors, as long as it lives.
final class SessionErrors {
  private let observer: any NSObjectProtocol

  init(of session: CaptureSession, _ tell: @escaping @Sendable (CaptureError) -> Void) {
    observer = NotificationCenter.default.addObserver(
      forName: CaptureSession.runtimeErrorNotification, object: session, queue: nil
    ) { notification in
      let error = notification.userInfo?[CaptureSession.errorKey] as? CaptureError
      if let error { tell(error) }
    }
  }

  deinit { NotificationCenter.default.removeObserver(observer) }
}
