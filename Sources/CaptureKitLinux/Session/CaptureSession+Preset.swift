extension CaptureSession {
  /// What the session is tuned for, as Apple's `AVCaptureSession.Preset`.
  public struct Preset: RawRepresentable, Hashable, Sendable {
    /// The preset's name.
    public let rawValue: String

    /// Names a preset, known to this library or not.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The largest pictures.
    public static let photo = Preset(rawValue: "photo")
    /// Large pictures at video rate: up to 1920x1080.
    public static let high = Preset(rawValue: "high")
    /// Pictures to share: about 640x480.
    public static let medium = Preset(rawValue: "medium")
    /// Small pictures: about 320x240.
    public static let low = Preset(rawValue: "low")
    /// Exactly 640x480.
    public static let vga640x480 = Preset(rawValue: "640x480")
    /// Exactly 1280x720.
    public static let hd1280x720 = Preset(rawValue: "1280x720")
    /// Exactly 1920x1080.
    public static let hd1920x1080 = Preset(rawValue: "1920x1080")
    /// Exactly 3840x2160.
    public static let hd4K3840x2160 = Preset(rawValue: "3840x2160")
    /// The device's ``CaptureDevice/activeFormat`` decides.
    public static let inputPriority = Preset(rawValue: "inputPriority")
  }
}
