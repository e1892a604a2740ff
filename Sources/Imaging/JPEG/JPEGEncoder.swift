import CJPEG
public import Foundation

/// Makes JPEG pictures of raw samples.
///
/// Samples that are luma and chroma already are never turned to RGB: 4:2:2 stays 4:2:2, 4:2:0
/// stays 4:2:0, luma alone becomes a grey picture. Range and matrix become what JPEG means by its
/// samples, full-range BT.601 (JFIF 1.02), so that the picture shows the camera's colours. RGB
/// becomes 4:2:2, from quality 0.9 on 4:4:4.
public struct JPEGEncoder: Sendable {
  /// 0, the smallest, to 1, the best.
  public let quality: Double
  /// At most this many threads work on a picture, the caller's among them.
  public let threads: Int

  /// The most threads that an encoder takes.
  public static let maximumThreads = Int(CK_JPEG_MOST_THREADS)

  private static let defaultQuality = 0.85
  var loops = Loops.best
  var failingPart = 0

  /// Sets the quality, and how many threads a picture may take.
  ///
  /// Several threads halve and quarter the time that one large picture takes, not the work. They
  /// are started for each picture, named `jpeg-part-2` and so on, and gone when `encode` returns.
  /// The picture is cut at restart markers, by which decoders find its parts; its pixels are the
  /// same, its bytes a few more.
  ///
  /// - Parameters:
  ///   - quality: 0, the smallest, to 1, the best; other numbers count as the nearest of these, and
  ///     what is no number as 0.85. A hundredth is a step of libjpeg's scale, which begins at 1.
  ///   - threads: 1 to `maximumThreads`; other numbers count as the nearest of these. A picture
  ///     takes no more than one for 65 536 pixels.
  public init(quality: Double = 0.85, threads: Int = 1) {
    self.quality = quality.isNaN ? Self.defaultQuality : min(max(quality, 0), 1)
    self.threads = min(max(threads, 1), Self.maximumThreads)
  }

  /// Encodes a picture.
  ///
  /// - Parameters:
  ///   - pixels: The picture; `PixelFormat` names the formats. An alpha channel is left out.
  ///   - metadata: What its EXIF segment shall say, directly after the start marker; without
  ///     anything to say there is a JFIF segment instead.
  /// - Returns: A whole JPEG picture.
  /// - Throws: `.unsupported` for a format that is none of raw samples, `.tooLarge` for more than
  ///   65 500 pixels a side, more than memory holds, and metadata that has no room in a segment;
  ///   `.invalidMetadata` for what EXIF cannot say.
  public func encode(
    _ pixels: PixelBuffer, metadata: ImageMetadata = ImageMetadata()
  ) throws(ImagingError) -> Data {
    let size = PixelSize(width: pixels.width, height: pixels.height)
    let exif =
      metadata.isEmpty ? [] : ImageMetadata.exifHeader + (try metadata.exif(size: size))
    return try LibJPEGBridge.encode(
      pixels,
      LibJPEGBridge.EncodeOptions(
        quality: max(1, Int((quality * 100).rounded())), keepsFullChroma: quality >= 0.9,
        exif: exif, threads: threads,
        loops: loops, failingPart: failingPart))
  }
}
