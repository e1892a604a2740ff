/// Why a camera delivers fewer frames a second than it might, as far as that can be told.
public struct CaptureRateReport: Hashable, Sendable {
  /// What holds the rate down.
  public enum Cause: Hashable, Sendable {
    /// Nothing: the camera delivers what it settled for, and that is what it was asked for.
    case none
    /// The camera is not running, or too few frames have come to tell.
    case unknown
    /// Frames take longer to expose than their time: there is too little light.
    case exposure
    /// The camera settled for less than it was asked for, or frames are lost on their way.
    case bandwidth
    /// The program keeps frames, or is too slow for them.
    case consumer
    /// Frames come damaged.
    case damage
    /// The camera sends less than it settled for, and does not say why.
    case camera
  }

  /// What holds the rate down.
  public let cause: Cause
  /// The time between frames that was asked for; nil where that was left to the camera.
  public let requestedFrameDuration: FrameDuration?
  /// The time between frames that the camera settled for; nil where it does not say.
  public let nominalFrameDuration: FrameDuration?
  /// Frames per second as they come; nil where too few have come.
  public let deliveredFramesPerSecond: Double?
  /// One sentence that says so, and what to do.
  public let sentence: String
}

// MARK: - CustomStringConvertible

extension CaptureRateReport: CustomStringConvertible {
  /// The sentence.
  public var description: String { sentence }
}
