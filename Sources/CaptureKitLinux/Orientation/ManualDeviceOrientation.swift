/// How the device is held as somebody says it: a test, a menu, a kiosk that never moves.
public final class ManualDeviceOrientation: DeviceOrientationSource {
  private let current: ObservableValue<DeviceOrientation>

  /// Makes a source that says one orientation until another is set.
  public init(_ orientation: DeviceOrientation = .portrait) {
    current = ObservableValue(orientation)
  }

  /// How the device is held; observers are told on the thread that sets it, before the setter
  /// returns unless another thread is telling them.
  public var orientation: DeviceOrientation {
    get { current.value }
    set { current.change { $0 = newValue } }
  }

  /// Tells a handler how the device is held now, and then each change.
  ///
  /// - Parameter handler: Called on the thread that sets ``orientation``, for the first time on
  ///   this one, unless another is telling observers just then.
  /// - Returns: The observation, which ends when it is invalidated or released.
  public func observe(
    _ handler: @escaping @Sendable (DeviceOrientation) -> Void
  ) -> CaptureObservation {
    current.observe(handler)
  }
}
