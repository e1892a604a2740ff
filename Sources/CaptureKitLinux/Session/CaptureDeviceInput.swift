/// A camera as a session's input; Apple's `AVCaptureDeviceInput`.
public final class CaptureDeviceInput: Sendable {
  /// The camera.
  public let device: CaptureDevice

  /// Takes a camera; it is opened when the session starts.
  ///
  /// - Parameter device: The camera.
  /// - Throws: ``CaptureError`` with the code `disconnected`, or `notPermitted` where it is known that
  ///   this program may not open the camera.
  public init(device: CaptureDevice) throws {
    guard device.isConnected else { throw CaptureError.disconnected(device) }
    // Asked anew: it may have been allowed since it was listed.
    if let failure = device.authorizationFailure { throw failure }
    self.device = device
  }
}
