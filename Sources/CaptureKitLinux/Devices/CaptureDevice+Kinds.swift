extension CaptureDevice {
  /// A kind of camera, as Apple's `AVCaptureDevice.DeviceType`.
  public struct DeviceType: RawRepresentable, Hashable, Sendable {
    /// The kind's name.
    public let rawValue: String

    /// Names a kind, known to this library or not.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A camera that is part of the machine: on a platform bus, or on a USB port that cannot be
    /// unplugged.
    public static let builtInWideAngleCamera = DeviceType(rawValue: "builtInWideAngleCamera")
    /// A camera that can be unplugged.
    public static let external = DeviceType(rawValue: "external")
  }

  /// The side of the machine that a camera looks from, as Apple's `AVCaptureDevice.Position`.
  public enum Position: Int, Hashable, Codable, Sendable {
    /// Nobody says.
    case unspecified = 0
    /// Away from the user.
    case back = 1
    /// Towards the user.
    case front = 2
  }

  /// Whether a program may use cameras, as Apple's `AVAuthorizationStatus`.
  ///
  /// On Linux the answer is in the device nodes' permissions: nothing is asked, so it is never
  /// `notDetermined`.
  public enum AuthorizationStatus: Int, Hashable, Sendable {
    /// Nobody was asked yet.
    case notDetermined = 0
    /// The system forbids it for everybody.
    case restricted = 1
    /// This user may not open any camera.
    case denied = 2
    /// Cameras may be opened.
    case authorized = 3
  }
}
