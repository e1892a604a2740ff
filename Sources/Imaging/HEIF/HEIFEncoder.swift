public import Foundation

/// Makes HEIC pictures, which are about half as large as JPEG of the same quality and take much
/// longer to make.
///
/// Needs the package trait `HEIF`, and an encoder of libheif's: see ``isAvailable``. Chroma becomes
/// 4:2:0; range and matrix of luma and chroma stay, and the file names them. Of RGB they become
/// full-range BT.601.
public struct HEIFEncoder: Sendable {
  /// 0, the smallest, to 1, the best.
  public let quality: Double

  /// Whether this build, on this machine, makes HEIC.
  public static var isAvailable: Bool {
    #if HEIF
      LibHEIFEncodingBridge.hasEncoder(for: .heic)
    #else
      false
    #endif
  }

  /// Sets the quality.
  ///
  /// - Parameter quality: 0, the smallest, to 1, the best; other numbers count as the nearest of
  ///   these, and what is no number as 0.85.
  public init(quality: Double = 0.85) {
    self.quality = quality.isNaN ? 0.85 : min(max(quality, 0), 1)
  }

  /// Encodes a picture.
  ///
  /// - Parameters:
  ///   - pixels: The picture as stored. An alpha channel is left out.
  ///   - metadata: What its EXIF shall say. The orientation is said by the file itself (`irot`,
  ///     `imir`), where all viewers look for it, and EXIF then says that the picture is upright.
  ///   - colorProfile: How its colours are meant; nil for sRGB.
  /// - Returns: A whole HEIC file.
  /// - Throws: `.unsupported` for a format that is none of raw samples, and where HEIC cannot be
  ///   made: the sentence names the trait; `.tooLarge` for more pixels than the encoder or memory
  ///   takes.
  public func encode(
    _ pixels: PixelBuffer, metadata: ImageMetadata = ImageMetadata(),
    colorProfile: ColorProfile? = nil
  ) throws(ImagingError) -> Data {
    try encode(pixels, as: .heic, metadata, colorProfile)
  }

  /// As the public method; AVIF is for tests alone.
  func encode(
    _ pixels: PixelBuffer, as format: ImageFormat, _ metadata: ImageMetadata = ImageMetadata(),
    _ colorProfile: ColorProfile? = nil
  ) throws(ImagingError) -> Data {
    #if HEIF
      let color = pixels.format.isRGB ? .jpeg : pixels.color
      let samples = try pixels.converted(to: .yuv420, color: color)
      var upright = metadata
      upright.orientation = .up
      let exif =
        upright.isEmpty
        ? []
        : try upright.exif(size: pixels.size.shown(by: metadata.orientation))
      return try LibHEIFEncodingBridge.encode(
        samples,
        LibHEIFEncodingBridge.Options(
          format: format, quality: Int((quality * 100).rounded()),
          orientation: metadata.orientation, exif: exif, profile: colorProfile?.data))
    #else
      throw HEIFFiles.refusal(format, "made")
    #endif
  }
}

extension Image {
  /// A HEIC picture newly encoded from the pixels, as Apple's `UIImage` makes it.
  ///
  /// Orientation, metadata and colour profile go along; transparent pixels become opaque. Needs the
  /// package trait `HEIF`.
  ///
  /// - Parameter compressionQuality: 0, the smallest, to 1, the best.
  /// - Returns: The bytes; nil where the picture cannot be decoded, and where
  ///   ``HEIFEncoder/isAvailable`` is false.
  public func heicData(compressionQuality: Double = 0.85) -> Data? {
    guard HEIFEncoder.isAvailable, let pixels = try? storedPixels() else { return nil }
    let profile = colorProfile.flatMap { $0.colorSpace == "RGB" ? $0 : nil }
    return try? HEIFEncoder(quality: compressionQuality).encode(
      pixels, metadata: metadata, colorProfile: profile)
  }
}
