/// How pictures are to be turned to be upright, as Apple's `AVCaptureVideoOrientation`.
///
/// `.portrait` is the device's natural, upright position: a PC's webcam at rest needs no turning.
public enum CaptureVideoOrientation: Int, CaseIterable, Hashable, Sendable {
  /// The device's natural position.
  case portrait = 1
  /// The device is upside down.
  case portraitUpsideDown = 2
  /// The device's natural top is to the left, as its user sees it.
  case landscapeRight = 3
  /// The device's natural top is to the right, as its user sees it.
  case landscapeLeft = 4
}

extension CaptureVideoOrientation {
  /// How far the device is turned counter-clockwise, as its user sees it, in degrees.
  var heldAngle: Int {
    switch self {
    case .portrait: 0
    case .landscapeRight: 90
    case .portraitUpsideDown: 180
    case .landscapeLeft: 270
    }
  }

  /// Turns how a device is held into how its pictures are to be turned.
  ///
  /// Landscape left and right change places, as on Apple's systems: a device held with its natural
  /// top to the left takes pictures in landscape right.
  ///
  /// - Parameters:
  ///   - device: How the device is held.
  ///   - fallback: The answer for face up, face down and unknown: portrait, or the last known one.
  public init(
    _ device: DeviceOrientation, fallback: CaptureVideoOrientation = .portrait
  ) {
    switch device {
    case .portrait: self = .portrait
    case .portraitUpsideDown: self = .portraitUpsideDown
    case .landscapeLeft: self = .landscapeRight
    case .landscapeRight: self = .landscapeLeft
    case .faceUp, .faceDown, .unknown: self = fallback
    }
  }
}
