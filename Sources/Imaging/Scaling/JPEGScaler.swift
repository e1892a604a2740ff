import Foundation

/// JPEG pictures at another size: all that is decoded is sound, or it is an error.
enum JPEGScaler {
  /// A stored picture's part at another size.
  ///
  /// - Parameters:
  ///   - bytes: A JPEG picture.
  ///   - placement: Which part of the stored picture becomes what.
  ///   - options: How pixels are mixed.
  ///   - limits: What the picture may ask for.
  /// - Returns: BGRA.
  /// - Throws: As `JPEGDecoder` does.
  static func scaled(
    _ bytes: RawSpan, _ placement: ScalePlacement, _ options: ScaleOptions,
    limits: Image.Limits
  ) throws(ImagingError) -> PixelBuffer {
    let structure = try JPEGStructure(walking: bytes)
    try JPEGDecoder.check(structure, byteCount: bytes.byteCount, limits)
    do throws(ImagingError) {
      let picture = bytes.extracting(structure.start..<(structure.end ?? bytes.byteCount))
      let (pixels, report) = try LibJPEGShrinkBridge.scaled(
        picture, placement, options, of: structure.size, limits: limits)
      try check(report)
      return pixels
    } catch {
      // Whatever libjpeg stumbles over in bytes that stop too early, that they stop is the reason.
      throw error.code == .corrupt && structure.end == nil ? incomplete : error
    }
  }

  /// A file's picture at another size, upright.
  ///
  /// - Parameters:
  ///   - file: A JPEG file, read from its beginning.
  ///   - limits: What the picture may ask for.
  ///   - options: How pixels are mixed.
  ///   - placement: Which part of a picture of some size becomes what.
  /// - Returns: A picture of pixels.
  /// - Throws: As `Image.init(_:limits:)` and `Image.pixelBuffer()`.
  static func scaled(
    _ file: borrowing PictureFile, limits: Image.Limits, _ options: ScaleOptions,
    _ placement: (PixelSize) throws(ImagingError) -> ScalePlacement
  ) throws(ImagingError) -> Image {
    let reader = try LibJPEGShrinkBridge(
      descriptor: file.descriptor, byteCount: file.byteCount, limits: limits)
    let facts = reader.facts
    let orientation = facts.orientation
    try limits.check(facts.size)
    try JPEGDecoder.check(facts.size, byteCount: file.byteCount, isArithmetic: facts.isArithmetic)
    let stored = try placement(facts.size.shown(by: orientation)).stored(by: orientation)
    let (pixels, report) = try reader.scaled(stored, options, limits: limits)
    try check(report)
    return Image(
      try LibYUVBridge.oriented(pixels, by: orientation),
      colorProfile: facts.colorProfile?.ofPixels(areGrey: facts.isGrey))
  }

  private static let incomplete = ImagingError(
    .incomplete, "The JPEG's end is missing, and pixels with it.")

  private static func check(_ report: LibJPEGBridge.Report) throws(ImagingError) {
    guard report.isDamaged else { return }
    throw report.isEndMissing
      ? incomplete
      : ImagingError(.corrupt, "The JPEG is damaged: some of its pixels make no sense.")
  }
}
