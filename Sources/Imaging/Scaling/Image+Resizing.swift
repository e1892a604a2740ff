public import Foundation

extension Image {
  /// The picture at another size, upright.
  ///
  /// Filtered with Lanczos' three lobes. A JPEG is decoded only as finely as it is needed, row by
  /// row.
  ///
  /// - Parameters:
  ///   - size: What to fill, in points.
  ///   - contentMode: How a size of other proportions is filled.
  ///   - scale: Pixels in a point, as a screen has them.
  ///   - quality: What it may cost.
  ///   - inLinearLight: Mixes light as it is instead of the numbers that sRGB has for it, so that
  ///     fine bright details keep their brightness. Costs more; of a JPEG, 2 × 2 pixels may still
  ///     be mixed as numbers, with `.fast` 4 × 4.
  /// - Returns: A picture of pixels, orientation `.up`, without metadata, with the original's
  ///   colour profile.
  /// - Throws: `.invalidSize` for sizes and scales that are not above 0 or not finite, `.tooLarge`
  ///   for those above 200 million pixels or 65535 in a row or column; otherwise as
  ///   `pixelBuffer()`.
  public func resized(
    to size: CGSize, contentMode: ContentMode = .scaleAspectFit, scale: Double = 1,
    quality: ScalingQuality = .best, inLinearLight: Bool = false
  ) throws(ImagingError) -> Image {
    let placement = try ScalePlacement(of: self.size, filling: size, scale: scale, contentMode)
    return try scaled(placement, ScaleOptions(quality: quality, isLinear: inLinearLight))
  }

  /// The picture in small, upright, its proportions kept.
  ///
  /// - Parameters:
  ///   - maxPixelSize: The most pixels of the longer side, at least 1. A picture that has no more
  ///     keeps its size.
  ///   - quality: What it may cost.
  ///   - inLinearLight: As for `resized(to:contentMode:scale:quality:inLinearLight:)`.
  /// - Returns: A picture of pixels, orientation `.up`, without metadata, with the original's
  ///   colour profile; each side has at least one pixel.
  /// - Throws: `.invalidSize` for less than 1; otherwise as `pixelBuffer()`.
  public func thumbnail(
    maxPixelSize: Int, quality: ScalingQuality = .best, inLinearLight: Bool = false
  ) throws(ImagingError) -> Image {
    let placement = try ScalePlacement(of: size, longestSide: maxPixelSize)
    return try scaled(placement, ScaleOptions(quality: quality, isLinear: inLinearLight))
  }

  func scaled(
    _ placement: ScalePlacement, _ options: ScaleOptions
  ) throws(ImagingError) -> Image {
    let stored = placement.stored(by: orientation)
    let pixels: PixelBuffer
    if let encodedData, format == .jpeg {
      pixels = try JPEGScaler.scaled(encodedData.bytes, stored, options, limits: limits)
    } else {
      // The picture's own pixels are there at the same time; those that it was made of are not its
      // doing. Whoever allows any number of pixels is declared more than can be counted in bytes.
      let own = min(picture?.size.pixelCount ?? 0, Int.max / 8)
      try limits.check(memoryByteCount: 4 * (own + placement.target.pixelCount))
      pixels = try PixelScaleBridge.scaled(pixelBuffer(), stored, options)
    }
    return Image(
      try LibYUVBridge.oriented(pixels, by: orientation), colorProfile: profileOfPixels)
  }
}

extension Image {
  /// The profile where it fits pixels that are made of this picture's: one of inks does not, and
  /// one of grey only where they have no colours.
  var profileOfPixels: ColorProfile? { colorProfile?.ofPixels(areGrey: picture?.isGrey ?? true) }
}

extension ColorProfile {
  /// The same for pixels, nil where it is for other components.
  func ofPixels(areGrey: Bool) -> ColorProfile? {
    colorSpace == "RGB" || areGrey && colorSpace == "GRAY" ? self : nil
  }
}
