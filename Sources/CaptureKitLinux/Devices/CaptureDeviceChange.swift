/// A camera that came, went, or may be used otherwise than before.
public enum CaptureDeviceChange: Hashable, Sendable {
  /// A camera was plugged in, and can be opened; one that stays forbidden is told after two
  /// seconds.
  case connected(CaptureDevice)
  /// A camera was unplugged: the object's `isConnected` is false from now on.
  case disconnected(CaptureDevice)
  /// What is known of a camera has changed; its `authorization`, most of the time.
  case updated(CaptureDevice)

  /// The camera.
  public var device: CaptureDevice {
    switch self {
    case .connected(let device), .disconnected(let device), .updated(let device): device
    }
  }
}
