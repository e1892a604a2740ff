import CPixels

/// The one place that tells C's loops what a picture's samples are and what they stand for.
extension PixelBuffer {
  /// Lends the picture to C for the time of one call; nil where C does not read its format.
  func withNativePicture<Result>(_ body: (inout ck_pixels_picture) -> Result) -> Result? {
    guard let samples = ck_pixels_samples(format) else { return nil }
    return withUnsafePlanes { planes in
      var picture = ck_pixels_picture()
      picture.samples = samples
      picture.width = Int32(clamping: width)
      picture.height = Int32(clamping: height)
      picture.meaning = ck_colour_meaning(color)
      (picture.planes.0, picture.strides.0) = place(0, in: planes)
      (picture.planes.1, picture.strides.1) = place(1, in: planes)
      (picture.planes.2, picture.strides.2) = place(2, in: planes)
      return body(&picture)
    }
  }
}

extension ck_pixels_samples {
  /// What C calls a format's samples; nil for formats that it does not read.
  init?(_ format: PixelFormat) {
    switch format {
    case .yuyv: self = CK_PIXELS_YUYV
    case .uyvy: self = CK_PIXELS_UYVY
    case .nv12, .nv12Multiplanar: self = CK_PIXELS_SEMI_PLANAR
    case .yuv420, .yuv420Multiplanar: self = CK_PIXELS_PLANAR
    case .grey: self = CK_PIXELS_GREY
    case .rgb24: self = CK_PIXELS_RGB
    case .bgr24: self = CK_PIXELS_BGR
    case .bgra32: self = CK_PIXELS_BGRX
    default: return nil
    }
  }
}

extension ck_colour_meaning {
  init(_ color: ColorDescription) {
    let weights = color.matrix.lumaWeights
    self.init(
      red_weight: weights.red, blue_weight: weights.blue,
      limited_range: color.range == .limited ? 1 : 0)
  }
}
