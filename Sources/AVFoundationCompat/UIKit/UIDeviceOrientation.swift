public import CaptureKitLinux

/// Apple's name of `DeviceOrientation`.
public typealias UIDeviceOrientation = DeviceOrientation

extension DeviceOrientation {
  /// Whether the device is upright or upside down.
  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
  /// Whether the device is on one of its sides.
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
  /// Whether the device lies.
  public var isFlat: Bool { self == .faceUp || self == .faceDown }
  /// Whether an interface can be turned to it.
  public var isValidInterfaceOrientation: Bool { isPortrait || isLandscape }
}
