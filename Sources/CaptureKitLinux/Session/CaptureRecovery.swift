/// What a session does by itself for a camera that stops sending pictures.
///
/// It goes up a ladder: passing errors are retried, then the stream is restarted, then the camera
/// is closed and opened again, then, where allowed, its USB port is reset; only then does it fail.
/// Each step is seen in ``CaptureSession/state-swift.property``, in ``CaptureStatistics`` and by
/// the diagnostics' handler. A camera that has sent pictures for ten seconds begins at the ladder's
/// foot again.
public struct CaptureRecovery: Hashable, Sendable {
  /// When a camera that sends nothing counts as stalled.
  public enum StallLimit: Hashable, Sendable {
    /// After thirty frames' time, but not before two seconds nor after ten (three frames' time of a
    /// camera that is slower than that, five seconds of one that does not say); where the stream
    /// has just started after twice that, and not before five seconds.
    case automatic
    /// After this time.
    case after(Duration)
    /// Never: for cameras that wait for a trigger.
    case never
  }

  /// When a camera that sends nothing counts as stalled.
  public var stallLimit: StallLimit = .automatic
  /// This many damaged frames in a row count as a fault, too.
  public var damagedFrameLimit: Int = 60
  /// How often the stream is restarted before the camera is reopened.
  public var restartLimit: Int = 2
  /// How often the camera is closed and opened again before it fails.
  public var reopenLimit: Int = 3
  /// Whether the camera's USB port may be reset, as the last step: false until it is set.
  ///
  /// The program needs the right to write to the device below `/dev/bus/usb`. Everything else that
  /// the device does, a microphone's sound for instance, is interrupted as well.
  public var resetsUSBDevice: Bool = false
  /// Whether a camera for which the USB bus has no room is tried with less where the preset
  /// decides: compressed pictures, then fewer a second. A format chosen for the device is never
  /// changed.
  public var reducesBandwidth: Bool = true

  /// The usual ladder.
  public init() {}

  /// No ladder: the first fault is an error, and silence is none.
  public static let none: CaptureRecovery = {
    var none = CaptureRecovery()
    none.stallLimit = .never
    none.damagedFrameLimit = .max
    none.restartLimit = 0
    none.reopenLimit = 0
    none.reducesBandwidth = false
    return none
  }()
}
