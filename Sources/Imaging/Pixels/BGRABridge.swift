import CPixels

/// The only place that hands pointers to the loops that make BGRA of luma and chroma.
enum BGRABridge {
  /// Converts to BGRA rows without a gap, with the picture's matrix and range.
  ///
  /// - Returns: nil for samples that are not luma and chroma.
  static func bgra(
    _ pixels: PixelBuffer, from pool: PixelPool, _ loops: Loops = .best
  ) throws(ImagingError) -> PixelBuffer? {
    guard pixels.format.isYCbCr else { return nil }
    return try LibYUVBridge.make(.bgra, pixels.size, from: pool) { target, layout in
      let done: Void? = pixels.withNativePicture { picture in
        ck_bgra_convert(&picture, target, layout.planes[0].bytesPerRow, loops.native)
      }
      return done == nil ? -1 : 0
    }
  }
}
