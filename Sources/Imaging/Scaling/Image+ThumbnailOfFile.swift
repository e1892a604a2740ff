public import Foundation

extension Image {
  /// The picture of a file in small, upright, without the file's bytes or all of its pixels ever
  /// being in memory.
  ///
  /// A JPEG is read in pieces and its rows are mixed as they come: that takes a megabyte or two,
  /// however large the picture is. A progressive JPEG's scans cannot be had one by one; they take
  /// three bytes a pixel. Other kinds of pictures are read as by `init(contentsOf:limits:)`.
  ///
  /// - Parameters:
  ///   - url: A regular file. A JPEG begins within its first mebibyte.
  ///   - maxPixelSize: The most pixels of the longer side, at least 1. A picture that has no more
  ///     keeps its size.
  ///   - quality: What it may cost.
  ///   - inLinearLight: As for `resized(to:contentMode:scale:quality:inLinearLight:)`.
  ///   - limits: What the picture may ask for.
  /// - Returns: A picture of pixels, orientation `.up`, without metadata, with the original's
  ///   colour profile unless that has more than a megabyte; each side has at least one pixel.
  /// - Throws: `.invalidSize` for less than 1; otherwise as `init(contentsOf:limits:)` and
  ///   `pixelBuffer()`.
  public static func thumbnail(
    contentsOf url: URL, maxPixelSize: Int, quality: ScalingQuality = .best,
    inLinearLight: Bool = false, limits: Limits = .standard
  ) throws(ImagingError) -> Image {
    let options = ScaleOptions(quality: quality, isLinear: inLinearLight)
    return try PictureFile.with(url) { (file: borrowing PictureFile) throws(ImagingError) in
      // What is nothing else may be a JPEG behind bytes that belong to nothing.
      guard try file.format() ?? .jpeg == .jpeg else {
        let data = try file.contents(atMost: limits.memoryByteCount)
        return try Image(data, limits: limits).thumbnail(
          maxPixelSize: maxPixelSize, quality: quality, inLinearLight: inLinearLight)
      }
      return try JPEGScaler.scaled(file, limits: limits, options) {
        size throws(ImagingError) in try ScalePlacement(of: size, longestSide: maxPixelSize)
      }
    }
  }
}
