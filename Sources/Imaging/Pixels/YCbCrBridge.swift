import CPixels

/// The only place that hands pointers to the loops that make luma and chroma of any samples.
enum YCbCrBridge {
  /// Converts to luma and chroma, or luma alone, rows without a gap.
  static func converted(
    _ pixels: PixelBuffer, to format: PixelFormat, _ color: ColorDescription, from pool: PixelPool,
    _ loops: Loops = .best
  ) throws(ImagingError) -> PixelBuffer {
    guard let samples = ck_pixels_samples(format), ck_pixels_samples(pixels.format) != nil else {
      throw ImagingError(.unsupported, "\(pixels.format) cannot be converted to \(format).")
    }
    return try LibYUVBridge.make(format, pixels.size, color: color, from: pool) { memory, layout in
      var target = ck_convert_target()
      target.samples = samples
      target.meaning = ck_colour_meaning(color)
      let places = layout.planes.map { (memory + $0.offset, $0.bytesPerRow) }
      (target.planes.0, target.strides.0) = places[0]
      if places.count > 1 { (target.planes.1, target.strides.1) = places[1] }
      if places.count > 2 { (target.planes.2, target.strides.2) = places[2] }
      // The target is not RGB: all that can be missing is memory.
      return pixels.withNativePicture { ck_convert(&$0, &target, loops.native) == 1 ? 0 : 1 } ?? -1
    }
  }
}
