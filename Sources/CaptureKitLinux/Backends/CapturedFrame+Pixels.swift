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
    try pixels(FrameConversions.Wish(format: format))
  }

  /// The same, with a range, and turned and mirrored; that too is done once.
  func pixels(_ wish: FrameConversions.Wish) throws(ImagingError) -> PixelBuffer {
    if wish.isMet(by: self), let pixelBuffer { return pixelBuffer }
    var wish = wish
    // What is asked for by name, and what it is without, are the same picture.
    wish.range = wish.format.isRGB ? nil : wish.range ?? usualRange(of: wish.format)
    return try conversions.picture(wish) { () throws(ImagingError) in
      wish.orientation == .up ? try converted(by: wish) : try turned(by: wish)
    }
  }

  /// The range that a picture of the frame has where nobody asks for one.
  private func usualRange(of format: PixelFormat) -> ColorDescription.Range {
    guard let pixelBuffer, !pixelBuffer.format.isRGB else {
      return ColorDescription.assumed(for: format).range
    }
    return pixelBuffer.color.range
  }

  private func converted(by wish: FrameConversions.Wish) throws(ImagingError) -> PixelBuffer {
    let pool = ConversionMemory.shared.pool(for: wish.format, width: width, height: height)
    if let read = pixelBuffer { return try read.converted(by: wish, from: pool) }
    guard !isConvertible else {
      throw ImagingError(.corrupt, "A \(pixelFormat) frame is damaged: take the next one.")
    }
    guard pixelFormat.isJPEG else {
      throw ImagingError(
        .unsupported,
        "A \(pixelFormat) frame cannot be read: choose another of the camera's formats.")
    }
    guard wish.format == .bgra else {
      return try pixels(as: .bgra).converted(by: wish, from: pool)
    }
    return try PixelBuffer(decoding: bytes, limits: decodingLimits, from: pool)
  }

  /// What a JPEG may ask for that the camera says is of this size.
  private var decodingLimits: Image.Limits {
    let (limit, overflow) = dimensions.pixelCount.multipliedReportingOverflow(by: 2)
    return Image.Limits(pixelCount: overflow ? .max : limit)
  }

  /// A JPEG's pixels in BGRA, decoded no more finely than they are needed; nothing of that is kept.
  ///
  /// What others have had made of the frame is taken where it is there.
  ///
  /// - Parameters:
  ///   - width: The least pixels in a row; where there are fewer, all.
  ///   - height: The least rows.
  ///   - pool: Where the pixels' memory comes from.
  /// - Returns: All of the picture, in fewer pixels, and the size that it has in all of them.
  /// - Throws: As `pixels(as:)`.
  func pixelsOfJPEG(
    leaving width: Double, by height: Double, from pool: PixelPool
  ) throws(ImagingError) -> (pixels: PixelBuffer, size: VideoDimensions) {
    func detail(_ size: PixelSize) -> JPEGDetail {
      JPEGDetail(leaving: width, by: height, of: size)
    }
    let isLarge = detail(PixelSize(width: self.width, height: self.height)) != .full
    guard isLarge, !conversions.hasPicture(FrameConversions.Wish(format: .bgra)) else {
      let pixels = try pixels(as: .bgra)
      return (pixels, VideoDimensions(width: pixels.width, height: pixels.height))
    }
    let (pixels, size) = try PixelBuffer.decoding(
      bytes, detail, limits: decodingLimits, from: pool)
    return (pixels, VideoDimensions(width: size.width, height: size.height))
  }

  /// BGRA and NV12 are turned, and others made of what they turn to.
  private func turned(by wish: FrameConversions.Wish) throws(ImagingError) -> PixelBuffer {
    let pool = ConversionMemory.shared.pool(for: wish.format, width: height, height: width)
    var source = wish
    source.format = wish.format.isRGB ? .bgra : .nv12
    guard wish.format == source.format else {
      return try pixels(source).converted(by: wish, from: pool)
    }
    source.orientation = .up
    return try pixels(source).oriented(by: wish.orientation, from: pool)
  }
}

extension PixelBuffer {
  /// In a wish's format and range; the matrix stays.
  fileprivate func converted(
    by wish: FrameConversions.Wish, from pool: PixelPool
  ) throws(ImagingError) -> PixelBuffer {
    let meaning = wish.range.map { ColorDescription(matrix: color.matrix, range: $0) }
    return try converted(to: wish.format, color: meaning, from: pool)
  }
}
