public import Foundation
import Synchronization

extension CaptureDevice {
  /// Says by which angles a camera's pictures are to be turned so that their horizon is level;
  /// Apple's `AVCaptureDevice.RotationCoordinator`.
  ///
  /// ```swift
  /// let coordinator = CaptureDevice.RotationCoordinator(device: camera, orientation: sensor)
  /// photoConnection.videoRotationAngle = coordinator.videoRotationAngleForHorizonLevelCapture
  /// let observation = coordinator.observe { angles in
  ///   previewConnection.videoRotationAngle = angles.preview
  /// }
  /// ```
  ///
  /// Angles are degrees clockwise, 0, 90, 180 or 270, for ``CaptureConnection/videoRotationAngle``.
  /// They hold how the camera is mounted, ``CaptureDevice/mountingAngle``, and how the device is
  /// held. A camera that can be unplugged does not turn with the device: its angles are its
  /// mounting alone. Lying flat or where nobody knows, the device counts as held as it was before.
  ///
  /// While it exists it listens to its source, and an accelerometer is read. All members may be
  /// used from any thread.
  public final class RotationCoordinator: Sendable {
    /// The camera.
    public let device: CaptureDevice
    private let holding: ObservableValue<Holding>
    private let listening: CaptureObservation

    /// Coordinates a camera with how the device is held.
    ///
    /// - Parameters:
    ///   - device: The camera.
    ///   - orientation: Says how the device is held. Give several coordinators the same one, so
    ///     that the sensor is read once.
    ///   - interface: How the front end that shows the preview is turned on its screen.
    public init(
      device: CaptureDevice, orientation: any DeviceOrientationSource,
      interface: InterfaceRotation = .followsDevice
    ) {
      let held = CaptureVideoOrientation(orientation.orientation)
      let holding = ObservableValue(Holding(device: held, interface: interface))
      self.device = device
      self.holding = holding
      listening = orientation.observe { orientation in
        holding.change { $0.device = CaptureVideoOrientation(orientation, fallback: $0.device) }
      }
    }

    /// The angles that hold now.
    public var angles: Angles { Angles(of: device, holding.value) }

    /// Degrees clockwise that make the horizon of photos and movies level.
    public var videoRotationAngleForHorizonLevelCapture: CGFloat { angles.capture }

    /// Degrees clockwise that make the horizon of the preview level on its screen.
    public var videoRotationAngleForHorizonLevelPreview: CGFloat { angles.preview }

    /// How the front end that shows the preview is turned on its screen.
    public var interface: InterfaceRotation {
      get { holding.value.interface }
      set { holding.change { $0.interface = newValue } }
    }

    /// Tells a handler the angles that hold now, and then each change; Apple's key-value observing.
    ///
    /// - Parameter handler: Called by one thread at a time, the source's or the one that sets
    ///   ``interface``; it must not block. Where several changes come while it runs, it is told the
    ///   last one.
    /// - Returns: The observation, which ends when it is invalidated or released. It does not keep
    ///   the coordinator.
    public func observe(_ handler: @escaping @Sendable (Angles) -> Void) -> CaptureObservation {
      let told = Mutex<Angles?>(nil)
      return holding.observe { [device] holding in
        let angles = Angles(of: device, holding)
        let isNew = told.withLock { told in
          defer { told = angles }
          return told != angles
        }
        if isNew { handler(angles) }
      }
    }

    /// The angles that hold now, and then each change, while the coordinator exists; a slow reader
    /// gets the newest.
    ///
    /// Each call makes a sequence of its own, for one reader. It has no end.
    public var angleChanges: AsyncStream<Angles> {
      AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        let observation = observe { continuation.yield($0) }
        continuation.onTermination = { _ in observation.invalidate() }
      }
    }
  }
}

// MARK: - Its values

extension CaptureDevice.RotationCoordinator {
  /// The angles by which pictures are to be turned: degrees clockwise, 0, 90, 180 or 270.
  public struct Angles: Hashable, Sendable {
    /// For photos and movies.
    public let capture: CGFloat
    /// For the preview.
    public let preview: CGFloat
  }

  /// How what a front end shows is turned on its screen.
  public enum InterfaceRotation: Hashable, Sendable {
    /// The desktop turns its windows with the device, as it does by default where there is an
    /// accelerometer.
    case followsDevice
    /// The front end stays as it is however the device is held: `.fixed(.portrait)` for the natural
    /// position.
    case fixed(CaptureVideoOrientation)
  }
}

// MARK: - From holding to angles

extension CaptureDevice.RotationCoordinator {
  /// How the device and the front end on its screen are held.
  fileprivate struct Holding: Equatable {
    var device: CaptureVideoOrientation
    var interface: InterfaceRotation
  }
}

extension CaptureDevice.RotationCoordinator.Angles {
  fileprivate init(of device: CaptureDevice, _ holding: CaptureDevice.RotationCoordinator.Holding) {
    let shown =
      switch holding.interface {
      case .followsDevice: holding.device
      case .fixed(let orientation): orientation
      }
    capture = Self.angle(of: device, in: holding.device)
    preview = Self.angle(of: device, in: shown)
  }

  private static func angle(
    of device: CaptureDevice, in orientation: CaptureVideoOrientation
  ) -> CGFloat {
    let turn = UprightTurn(
      position: device.position, mountingAngle: device.mountingAngle,
      orientation: device.deviceType == .external ? .portrait : orientation, isMirrored: false)
    return CGFloat(turn.clockwiseAngle)
  }
}
