public import Imaging

extension CapturedFrame {
  /// The frame's pixels in another format: decoded, converted, range and matrix honoured.
  ///
  /// The work is done once, at the first call, whoever calls: all copies of the frame share its
  /// result. A call while another thread is at it waits for that thread. A JPEG is decoded once,
  /// whatever is then made of its pixels. The picture stays valid when the frame has gone, and
  /// keeps none of the driver's buffers unless it is in the camera's own format.
  ///
  /// - Parameter format: `.bgra`, `.rgb24`, `.bgr24`, `.nv12`, `.yuv420`, `.yuyv`, `.uyvy`,
  ///   `.grey`, or the frame's own format where it is uncompressed.
  /// - Returns: The picture as the camera sent it, not turned.
  /// - Throws: `ImagingError`: `.unsupported` for other formats and of frames that nothing here
  ///   reads, `.corrupt` or `.incomplete` for a damaged one, `.tooLarge` where there is no memory.
  public func pixels(as format: PixelFormat) throws(ImagingError) -> PixelBuffer {
    if format == pixelFormat, layout != nil, let pixelBuffer { return pixelBuffer }
    return try conversions.picture(FrameConversions.Wish(format: format)) {
      () throws(ImagingError) in try convertedPixels(as: format)
    }
  }

  /// The same, turned and mirrored; that too is done once.
  func pixels(
    as format: PixelFormat, by orientation: ImageOrientation
  ) throws(ImagingError) -> PixelBuffer {
    guard orientation != .up else { return try pixels(as: format) }
    let wish = FrameConversions.Wish(format: format, orientation: orientation)
    return try conversions.picture(wish) { () throws(ImagingError) in
      let pool = ConversionMemory.shared.pool(for: format, width: height, height: width)
      return try pixels(as: format).oriented(by: orientation, from: pool)
    }
  }

  private func convertedPixels(as format: PixelFormat) throws(ImagingError) -> PixelBuffer {
    let pool = ConversionMemory.shared.pool(for: format, width: width, height: height)
    if let read = pixelBuffer { return try read.converted(to: format, from: pool) }
    guard !isConvertible else {
      throw ImagingError(.corrupt, "A \(pixelFormat) frame is damaged: take the next one.")
    }
    if format == .bgra, pixelFormat.isJPEG {
      let (limit, overflow) = dimensions.pixelCount.multipliedReportingOverflow(by: 2)
      let limits = Image.Limits(pixelCount: overflow ? .max : limit)
      return try PixelBuffer(decoding: bytes, limits: limits, from: pool)
    }
    guard pixelFormat.isJPEG else {
      throw ImagingError(
        .unsupported,
        "A \(pixelFormat) frame cannot be read: choose another of the camera's formats.")
    }
    return try pixels(as: .bgra).converted(to: format, from: pool)
  }
}
