import Synchronization

/// A camera as a session's input; Apple's `AVCaptureDeviceInput`.
public final class CaptureDeviceInput: Sendable {
  private let current: Mutex<CaptureDevice>

  /// The camera.
  ///
  /// It is the object that the input was made with, except where the session resumes after a replug
  /// (``CaptureSession/resumesAfterReconnect``): then it is the new object of the same camera,
  /// since the old one never is connected again. Connections and their orientation stay.
  public var device: CaptureDevice { current.withLock { $0 } }

  /// Takes a camera; it is opened when the session starts.
  ///
  /// - Parameter device: The camera.
  /// - Throws: ``CaptureError`` with the code `disconnected`, or `notPermitted` where it is known
  ///   that this program may not open the camera.
  public init(device: CaptureDevice) throws {
    guard device.isConnected else { throw CaptureError.disconnected(device) }
    // Asked anew: it may have been allowed since it was listed.
    if let failure = device.authorizationFailure { throw failure }
    current = Mutex(device)
  }

  /// Goes on with the new object of a camera that was plugged in again.
  func rebind(to device: CaptureDevice) {
    device.takeChoices(of: self.device)
    current.withLock { $0 = device }
  }
}
