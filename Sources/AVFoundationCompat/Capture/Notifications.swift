import CaptureKitLinux
public import Foundation

extension Notification.Name {
  /// `CaptureSession.runtimeErrorNotification`.
  public static var AVCaptureSessionRuntimeError: Self { CaptureSession.runtimeErrorNotification }
  /// `CaptureSession.didStartRunningNotification`.
  public static var AVCaptureSessionDidStartRunning: Self {
    CaptureSession.didStartRunningNotification
  }
  /// `CaptureSession.didStopRunningNotification`.
  public static var AVCaptureSessionDidStopRunning: Self {
    CaptureSession.didStopRunningNotification
  }
  /// `CaptureSession.wasInterruptedNotification`.
  public static var AVCaptureSessionWasInterrupted: Self {
    CaptureSession.wasInterruptedNotification
  }
  /// `CaptureSession.interruptionEndedNotification`.
  public static var AVCaptureSessionInterruptionEnded: Self {
    CaptureSession.interruptionEndedNotification
  }
  /// `CaptureDevice.wasConnectedNotification`.
  public static var AVCaptureDeviceWasConnected: Self { CaptureDevice.wasConnectedNotification }
  /// `CaptureDevice.wasDisconnectedNotification`.
  public static var AVCaptureDeviceWasDisconnected: Self {
    CaptureDevice.wasDisconnectedNotification
  }
}

/// The key of an ``AVError`` in a notification's `userInfo`.
public let AVCaptureSessionErrorKey: String = CaptureSession.errorKey

/// The key of an `AVCaptureSession.InterruptionReason`'s raw value, an `Int`, in a notification's
/// `userInfo`.
public let AVCaptureSessionInterruptionReasonKey: String = CaptureSession.interruptionReasonKey
