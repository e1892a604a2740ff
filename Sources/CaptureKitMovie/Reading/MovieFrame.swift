public import Imaging

/// A picture of a movie and when it is shown.
public struct MovieFrame: Sendable {
  /// When the frame is shown, from the movie's begin.
  public let time: Duration
  /// How long it is shown: until the next frame, or to the movie's end; nil where the file does not
  /// say.
  public let duration: Duration?
  /// The samples as stored, not turned: in the decoder's own memory where it has planes of luma and
  /// chroma with 4:2:0 (`.yuv420Multiplanar`, `.nv12Multiplanar`), packed without loss for 4:2:2
  /// (`.yuyv`), or `.grey`, `.rgb24`, `.bgr24`; BGRA for what else a movie may have.
  ///
  /// Matrix and range are the movie's. Where it does not say them they are what players assume:
  /// limited range, BT.709 for more than 576 rows and BT.601 for fewer.
  public let pixels: PixelBuffer
  /// The picture with the movie's orientation: for showing, scaling and saving. Its pixels become
  /// BGRA when somebody asks for them.
  public let image: Image
  /// Whether the frame can be decoded without those before it.
  public let isKeyFrame: Bool

  /// How the stored samples are to be shown.
  public var orientation: ImageOrientation { image.orientation }
}

extension MovieFrame {
  init(
    _ pixels: PixelBuffer, time: Duration, duration: Duration?, isKeyFrame: Bool,
    orientation: ImageOrientation
  ) {
    self.pixels = pixels
    self.time = time
    self.duration = duration
    self.isKeyFrame = isKeyFrame
    image = Image(pixels, orientation: orientation)
  }
}
