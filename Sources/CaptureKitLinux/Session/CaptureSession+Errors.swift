public import Foundation
import Synchronization

extension CaptureSession {
  /// Posted when a call was refused or a camera failed; `userInfo` has the error under
  /// ``errorKey``.
  public static let runtimeErrorNotification = Notification.Name("CaptureSessionRuntimeError")
  /// Posted when the session has started, and when it goes on after all of its cameras were
  /// interrupted.
  public static let didStartRunningNotification = Notification.Name("CaptureSessionDidStartRunning")
  /// Posted when the session has stopped, asked to or not, and when all of its cameras are
  /// interrupted.
  public static let didStopRunningNotification = Notification.Name("CaptureSessionDidStopRunning")
  /// The key of a ``CaptureError`` in a notification's `userInfo`.
  public static let errorKey = "CaptureSessionErrorKey"

  /// The last call refused, failure met, or why a camera was interrupted; nil where there was none.
  public var lastError: CaptureError? { storage.withLock { $0.lastError } }

  func record(_ error: CaptureError) {
    storage.withLock { $0.lastError = error }
    post(Self.runtimeErrorNotification, error: error)
  }

  func post(
    _ name: Notification.Name, of input: CaptureDeviceInput? = nil,
    _ info: [String: any Sendable] = [:], error: CaptureError? = nil
  ) {
    var info = info
    if let error { info[Self.errorKey] = error }
    if let input { info[Self.inputKey] = input }
    announcements.async { [weak self, info] in
      guard let self else { return }
      NotificationCenter.default.post(
        name: name, object: self, userInfo: info.isEmpty ? nil : info)
    }
  }

  func recordingErrors(_ body: () throws -> Void) {
    do { try body() } catch { record(.wrapping(error)) }
  }
}
