extension CaptureDevice {
  /// How a camera is mounted, as its user says, where the machine says nothing or the wrong thing.
  ///
  /// ```swift
  /// CaptureEnvironment.default.mountings = try JSONDecoder().decode(
  ///   [String: CaptureDevice.Mounting].self, from: settings)
  /// camera.mounting = CaptureDevice.Mounting(position: .back, angle: 180)  // upside down
  /// ```
  public struct Mounting: Hashable, Codable, Sendable {
    /// The side of the machine that the camera looks from; nil for what the machine says.
    public var position: Position?
    /// Degrees clockwise by which its pictures must be turned to be upright in the natural
    /// position, taken to the nearest quarter turn; nil for what the machine says.
    public var angle: Int?

    /// Says what is known better; what is nil stays as the machine says.
    public init(position: Position? = nil, angle: Int? = nil) {
      self.position = position
      self.angle = angle
    }
  }

  /// How this camera is mounted, as its user says; nil where nothing was said.
  ///
  /// It is kept by ``uniqueID`` in the camera's environment, also over a replug: see
  /// ``CaptureEnvironment/mountings``.
  public var mounting: Mounting? {
    get { environment.mounting(ofCamera: uniqueID) }
    set { environment.setMounting(newValue, ofCamera: uniqueID) }
  }

  /// The side of the machine that the camera looks from; unspecified where nobody says.
  ///
  /// The user's word in ``mounting`` comes first, then the driver's
  /// (`V4L2_CID_CAMERA_ORIENTATION`), then the firmware's (ACPI's `_PLD`, of a camera that is built
  /// in).
  public var position: Position { mounted.position }

  /// Degrees clockwise by which its pictures must be turned to be upright in the natural position:
  /// 0, 90, 180 or 270.
  ///
  /// The user's word in ``mounting`` comes first, then the driver's
  /// (`V4L2_CID_CAMERA_SENSOR_ROTATION`).
  public var mountingAngle: Int { mounted.mountingAngle }

  /// What the backend says, with the user's word in place of it.
  var mounted: CaptureDeviceDescription {
    var description = description
    guard let mounting else { return description }
    if let position = mounting.position { description.position = position }
    if let angle = mounting.angle {
      let quarters = Int((Double(angle % 360) / 90).rounded())
      description.mountingAngle = (quarters + 4) % 4 * 90
    }
    return description
  }
}
