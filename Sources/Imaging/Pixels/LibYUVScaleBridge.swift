import CLibYUV

/// Hands pointers to libyuv where BGRA changes its size.
enum LibYUVScaleBridge {
  /// Scales BGRA, each new pixel the mean of the old ones under it; nil where there is no memory for it.
  static func scaled(_ pixels: PixelBuffer, to size: PixelSize) -> PixelBuffer? {
    guard pixels.format == .bgra32,
      let layout = PixelLayout(format: .bgra32, width: size.width, height: size.height)
    else { return nil }
    var status: Int32 = -1
    let bytes = pixels.withUnsafePlanes { planes in
      [UInt8](unsafeUninitializedCapacity: size.width * size.height * 4) { target, count in
        status = ARGBScale(
          planes[0].assumingMemoryBound(to: UInt8.self).baseAddress,
          Int32(clamping: pixels.layout.planes[0].bytesPerRow), Int32(clamping: pixels.width),
          Int32(clamping: pixels.height), target.baseAddress, Int32(clamping: size.width * 4),
          Int32(clamping: size.width), Int32(clamping: size.height), kFilterBox)
        count = status == 0 ? size.width * size.height * 4 : 0
      }
    }
    return status == 0 ? PixelBuffer(layout: layout, color: pixels.color, bytes: bytes) : nil
  }
}

extension PixelBuffer {
  /// The picture in BGRA, made smaller so that it fits into a box, its proportions kept; a picture that fits is not
  /// made larger.
  package func fitted(into box: PixelSize) -> PixelBuffer? {
    guard let pixels = try? converted(to: .bgra32) else { return nil }
    let size = PixelSize(width: width, height: height).fitted(into: box)
    return size.width == width && size.height == height
      ? pixels : LibYUVScaleBridge.scaled(pixels, to: size)
  }

  /// The picture in BGRA, turned and mirrored so that what needed an orientation is upright.
  package func upright(from orientation: ImageOrientation) throws(ImagingError) -> PixelBuffer {
    try LibYUVBridge.oriented(converted(to: .bgra32), by: orientation)
  }
}

extension PixelSize {
  /// The largest size of the same proportions that fits into a box, and is not larger than this one.
  package func fitted(into box: PixelSize) -> PixelSize {
    let scale = min(
      1, Double(box.width) / Double(max(1, width)), Double(box.height) / Double(max(1, height)))
    return PixelSize(
      width: max(1, Int((Double(width) * scale).rounded())),
      height: max(1, Int((Double(height) * scale).rounded())))
  }
}
