public import CaptureKitLinux

/// The frame that a simulated camera is to hand out next.
public struct MockFrameRequest: Hashable, Sendable {
  /// Pixel format, size and frame duration of the stream.
  public let format: CaptureFormat
  /// The frame's number in its stream, from 0.
  public let sequence: UInt64
  /// When it was taken.
  public let timestamp: FrameTimestamp
  /// How much light the frame gets: 1 with automatic exposure, else the exposure time as a multiple of
  /// its default.
  public var light: Double = 1
  /// What the frame says of its exposure; nil with automatic exposure.
  public var settings: FrameSettings?
}
