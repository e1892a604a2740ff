/// What a backend says about one camera; the session's side of it is a ``CaptureDevice``.
public struct CaptureDeviceDescription: Hashable, Sendable {
  /// Names the physical camera, the same after a replug and a reboot.
  public var uniqueID: String
  /// The camera's name for people.
  public var localizedName: String
  /// The maker's name; empty where unknown.
  public var manufacturer: String = ""
  /// The model, `046d:0825` for a USB camera; empty where unknown.
  public var modelID: String = ""
  /// Built in or external.
  public var deviceType: CaptureDevice.DeviceType = .external
  /// The side of the machine that the camera looks from; unspecified where nobody says.
  public var position: CaptureDevice.Position = .unspecified
  /// Degrees clockwise by which pictures must be turned to be upright when the device is held in
  /// its natural position: 0, 90, 180 or 270.
  public var mountingAngle: Int = 0
  /// The formats offered; a backend may leave them out here and answer
  /// ``CaptureBackend/formats(of:)`` instead.
  public var formats: [CaptureDevice.Format]
  /// Whether this program may open the camera.
  public var authorization: CaptureDevice.AuthorizationStatus = .authorized
  /// How long after the start of a stream exposure and white balance need to settle.
  public var settlingTime: Duration = .zero
  /// What the bus that the camera is attached to carries of its pictures, in bytes a second; nil
  /// where no bus limits them, or where that is unknown.
  ///
  /// Presets prefer a format whose frames come through, whatever rate the camera lists for others.
  public var busBandwidth: Int?
  /// The device node, `/dev/video0`; nil for a camera without one.
  public var nodePath: String?
  /// The kernel driver's name; nil for a camera without one.
  public var driver: String?
  /// A number that no other stay of the camera in the machine has, so that a replug between two
  /// looks is noticed; nil where the backend cannot tell.
  public var connectionID: UInt64?

  /// Describes a camera; everything that is not named here has the default said at its property.
  ///
  /// - Parameters:
  ///   - uniqueID: Names the physical camera, the same after a replug and a reboot.
  ///   - localizedName: The camera's name for people.
  ///   - formats: The formats offered.
  public init(uniqueID: String, localizedName: String, formats: [CaptureDevice.Format] = []) {
    self.uniqueID = uniqueID
    self.localizedName = localizedName
    self.formats = formats
  }
}
