extension PixelBuffer {
  /// The same picture in another format, its range and matrix honoured.
  ///
  /// Pixels that come to share chroma get the mean of theirs. Alpha is lost, but from BGRA to BGRA.
  ///
  /// - Parameters:
  ///   - format: `.bgra`, `.rgb24`, `.bgr24`, `.nv12`, `.yuv420`, `.yuyv`, `.uyvy` or `.grey`.
  ///   - color: What luma and chroma are to stand for; of no meaning for RGB. By default they keep
  ///     their meaning; of RGB they become BT.601 with limited range, `.grey` with full range.
  /// - Returns: The picture, rows without a gap; the same samples where nothing changes.
  /// - Throws: `.unsupported` for other formats, `.tooLarge` where there is no memory.
  public func converted(
    to format: PixelFormat, color: ColorDescription? = nil
  ) throws(ImagingError) -> PixelBuffer {
    try converted(to: format, color: color, from: PixelPool())
  }

  /// As ``converted(to:color:)``, in memory of a pool.
  package func converted(
    to format: PixelFormat, color: ColorDescription? = nil, from pool: PixelPool
  ) throws(ImagingError) -> PixelBuffer {
    let meaning = color ?? (self.format.isRGB ? .assumed(for: format) : self.color)
    if format == self.format, format.isRGB || meaning == self.color { return self }
    switch format {
    case .bgra: return try LibYUVBridge.bgra(self, from: pool)
    case .rgb24, .bgr24: return try LibYUVBridge.threeBytes(self, format, from: pool)
    case .nv12 where !self.format.isRGB && meaning == self.color:
      return try LibYUVPlanesBridge.nv12(self, from: pool)
    case .nv12, .yuv420, .yuyv, .uyvy, .grey:
      return try YCbCrBridge.converted(self, to: format, meaning, from: pool)
    default:
      throw ImagingError(.unsupported, "\(self.format) cannot be converted to \(format).")
    }
  }

  /// The picture turned and mirrored so that what needed an orientation is upright.
  ///
  /// - Throws: `.unsupported` for other formats than BGRA and NV12.
  package func oriented(
    by orientation: ImageOrientation, from pool: PixelPool
  ) throws(ImagingError) -> PixelBuffer {
    switch format {
    case .bgra: return try LibYUVBridge.oriented(self, by: orientation, from: pool)
    case .nv12: return try LibYUVPlanesBridge.oriented(self, by: orientation, from: pool)
    default: throw ImagingError(.unsupported, "\(format) cannot be turned.")
    }
  }
}
