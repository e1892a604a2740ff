/// Says how the device is held: its accelerometer, or whoever else knows.
///
/// ``AccelerometerDeviceOrientation`` reads the machine's sensor, ``ManualDeviceOrientation`` says
/// what it was told. A kiosk whose screen hangs sideways, a robot's arm or a phone that is a remote
/// control can have one of their own.
public protocol DeviceOrientationSource: AnyObject, Sendable {
  /// How the device is held now; `unknown` where nobody can say. From any thread.
  var orientation: DeviceOrientation { get }

  /// Tells a handler how the device is held now, and then each change.
  ///
  /// - Parameter handler: Called by one thread at a time, which one is the source's choice; it must
  ///   not block. Where several changes come while it runs, it is told the last one.
  /// - Returns: The observation, which ends when it is invalidated or released. It keeps the
  ///   source.
  func observe(
    _ handler: @escaping @Sendable (DeviceOrientation) -> Void
  ) -> CaptureObservation
}

extension DeviceOrientationSource {
  /// How the device is held now, and then each change; a slow reader gets the newest.
  ///
  /// Each call makes a sequence of its own, for one reader. It has no end.
  public var orientations: AsyncStream<DeviceOrientation> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let observation = observe { continuation.yield($0) }
      continuation.onTermination = { _ in observation.invalidate() }
    }
  }
}
