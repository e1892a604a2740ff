/// How a device is held, as Apple's `UIDeviceOrientation`.
public enum DeviceOrientation: Int, CaseIterable, Hashable, Sendable {
  /// Nobody knows.
  case unknown = 0
  /// Upright, the natural position.
  case portrait = 1
  /// Upside down.
  case portraitUpsideDown = 2
  /// Turned so that its natural top is to the left, as its user sees it.
  case landscapeLeft = 3
  /// Turned so that its natural top is to the right, as its user sees it.
  case landscapeRight = 4
  /// Lying with the screen up.
  case faceUp = 5
  /// Lying with the screen down.
  case faceDown = 6
}
