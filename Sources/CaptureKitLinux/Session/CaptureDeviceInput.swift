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
    guard device.authorization == .authorized else {
      // The backend knows the group that has to be joined: let it say so.
      _ = try device.loadFormats()
      throw CaptureError(.notPermitted, "This user may not open \(device.localizedName).")
    }
    self.device = device
  }
}
