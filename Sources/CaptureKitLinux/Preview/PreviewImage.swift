public import Imaging

/// A frame as the preview shows it: BGRA pixels at the size that was asked for.
///
/// A value that copies no pixels when it is copied. Let go of it soon: its memory serves the next
/// images.
public struct PreviewImage: Sendable {
  /// The pixels: BGRA, rows without a gap, upright, bars included.
  public let pixels: PixelBuffer
  /// When the frame was taken.
  public let presentationTime: HostTime
  /// Where the camera's picture lies on the image, in the image's pixels: for taps on this very
  /// image.
  public let geometry: PreviewGeometry
  /// Counts the frames that the layer has seen.
  let number: UInt64

  /// Pixels in a row.
  public var width: Int { pixels.width }
  /// Rows.
  public var height: Int { pixels.height }
}
