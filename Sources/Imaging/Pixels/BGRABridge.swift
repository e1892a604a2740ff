import CPixels

/// The only place that hands pointers to the loops that make BGRA of luma and chroma.
enum BGRABridge {
  /// Which of C's loops convert; all give the same pixels.
  enum Loops: CaseIterable { case best, baseline, portable }

  /// Converts to BGRA rows without a gap, with the picture's matrix and range.
  ///
  /// - Returns: nil for samples that are not luma and chroma.
  static func bgra(
    _ pixels: PixelBuffer, from pool: PixelPool, _ loops: Loops = .best
  ) throws(ImagingError) -> PixelBuffer? {
    guard pixels.format.isYCbCr else { return nil }
    return try LibYUVBridge.make(.bgra, pixels.size, from: pool) { target, layout in
      let done: Void? = pixels.withNativePicture { picture in
        ck_bgra_convert(&picture, target, layout.planes[0].bytesPerRow, loops.code)
      }
      return done == nil ? -1 : 0
    }
  }
}

extension BGRABridge.Loops {
  fileprivate var code: ck_bgra_loops {
    switch self {
    case .best: CK_BGRA_BEST_LOOPS
    case .baseline: CK_BGRA_BASELINE_LOOPS
    case .portable: CK_BGRA_PORTABLE_LOOPS
    }
  }
}
