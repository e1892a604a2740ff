extension PixelBuffer {
  /// The same picture in another format, its range and matrix honoured.
  ///
  /// - Parameter format: `.bgra`, `.nv12`, or the picture's own format. `.nv12` keeps the range and the
  ///   matrix of luma and chroma samples; of colours it is BT.601 with limited range.
  /// - Returns: The picture, rows without a gap; the same samples where the format is its own.
  /// - Throws: `.unsupported` for other formats.
  public func converted(to format: PixelFormat) throws(ImagingError) -> PixelBuffer {
    try converted(to: format, from: PixelPool())
  }

  /// As ``converted(to:)``, in memory of a pool.
  package func converted(
    to format: PixelFormat, from pool: PixelPool
  ) throws(ImagingError) -> PixelBuffer {
    switch format {
    case self.format: return self
    case .bgra: return try LibYUVBridge.bgra(self, from: pool)
    case .nv12: return try LibYUVPlanesBridge.nv12(self, from: pool)
    default:
      throw ImagingError(
        .unsupported, "\(self.format) cannot be converted to \(format): ask for BGRA or NV12.")
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
