import CPixels

/// The only place that hands pointers to the loops that make BGRA of luma and chroma.
enum BGRABridge {
  /// Which of C's loops convert; all give the same pixels.
  enum Loops { case best, portable }

  /// Converts to BGRA rows without a gap, with the picture's matrix and range.
  ///
  /// - Returns: nil for samples that are not luma and chroma.
  static func bgra(
    _ pixels: PixelBuffer, from pool: PixelPool, _ loops: Loops = .best
  ) throws(ImagingError) -> PixelBuffer? {
    guard let samples = samples(of: pixels.format) else { return nil }
    return try LibYUVBridge.make(.bgra, pixels.size, from: pool) { target, layout in
      pixels.withUnsafePlanes { planes in
        var picture = picture(pixels, samples, planes)
        ck_bgra_convert(
          &picture, target, layout.planes[0].bytesPerRow,
          loops == .best ? CK_BGRA_BEST_LOOPS : CK_BGRA_PORTABLE_LOOPS)
      }
      return 0
    }
  }

  private static func samples(of format: PixelFormat) -> ck_bgra_samples? {
    switch format {
    case .yuyv: CK_BGRA_YUYV
    case .uyvy: CK_BGRA_UYVY
    case .nv12, .nv12Multiplanar: CK_BGRA_SEMI_PLANAR
    case .yuv420, .yuv420Multiplanar: CK_BGRA_PLANAR
    default: nil
    }
  }

  private static func picture(
    _ pixels: PixelBuffer, _ samples: ck_bgra_samples, _ planes: [UnsafeRawBufferPointer]
  ) -> ck_bgra_picture {
    var picture = ck_bgra_picture()
    picture.samples = samples
    picture.width = Int32(clamping: pixels.width)
    picture.height = Int32(clamping: pixels.height)
    picture.limited_range = pixels.color.range == .limited ? 1 : 0
    (picture.red_weight, picture.blue_weight) = pixels.color.matrix.lumaWeights
    (picture.planes.0, picture.strides.0) = pixels.place(0, in: planes)
    (picture.planes.1, picture.strides.1) = pixels.place(1, in: planes)
    (picture.planes.2, picture.strides.2) = pixels.place(2, in: planes)
    return picture
  }
}
