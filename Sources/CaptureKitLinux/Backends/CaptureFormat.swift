public import Imaging

/// What one stream delivers, or is asked to deliver: a pixel format, a size, a frame duration.
public struct CaptureFormat: Hashable, Sendable {
  /// How the bytes are to be read.
  public var pixelFormat: PixelFormat
  /// The picture's size in pixels.
  public var dimensions: VideoDimensions
  /// The time between frames; nil: the camera's own choice, or unknown.
  public var frameDuration: FrameDuration?

  /// Names a format.
  public init(
    pixelFormat: PixelFormat, dimensions: VideoDimensions, frameDuration: FrameDuration? = nil
  ) {
    self.pixelFormat = pixelFormat
    self.dimensions = dimensions
    self.frameDuration = frameDuration
  }
}

// MARK: - CustomStringConvertible

extension CaptureFormat: CustomStringConvertible {
  /// Format, size and rate: `MJPG 640x480 at 30 frames a second`.
  public var description: String {
    guard let frameDuration else { return "\(pixelFormat) \(dimensions)" }
    let tenths = Int((min(frameDuration.framesPerSecond, 1e6) * 10).rounded())
    let rate = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    return "\(pixelFormat) \(dimensions) at \(rate) frames a second"
  }
}
