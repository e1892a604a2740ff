/// How a camera was set when it took a frame.
///
/// A backend says what it knows of the frame itself, not what was asked for: the rest is nil.
/// Webcams say nothing frame by frame, and neither do the kernel's cameras here: their controls
/// would have to be read for each frame, and say how the next ones will be taken. Simulated cameras
/// say the exposure time while it is set by hand.
public struct FrameSettings: Hashable, Sendable {
  /// How long the frame was exposed.
  public var exposureDuration: Duration?
  /// The sensor's sensitivity by the ISO scale.
  public var iso: Float?
  /// The amplification of the sensor's signal, 1 for none.
  public var gain: Float?

  /// Names what is known.
  public init(exposureDuration: Duration? = nil, iso: Float? = nil, gain: Float? = nil) {
    self.exposureDuration = exposureDuration
    self.iso = iso
    self.gain = gain
  }
}
