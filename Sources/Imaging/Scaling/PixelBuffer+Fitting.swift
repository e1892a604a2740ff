extension PixelBuffer {
  /// The picture in BGRA, made smaller so that it fits into a box, its proportions kept; a picture
  /// that fits is not made larger.
  package func fitted(into box: PixelSize) -> PixelBuffer? {
    guard let pixels = try? converted(to: .bgra32) else { return nil }
    let size = PixelSize(width: width, height: height).fitted(into: box)
    return size.width == width && size.height == height
      ? pixels
      : try? PixelScaleBridge.scaled(
        pixels, ScalePlacement(whole: pixels.size, at: size),
        ScaleOptions(quality: .fast, isLinear: false))
  }

  /// The picture in BGRA, turned and mirrored so that what needed an orientation is upright.
  package func upright(from orientation: ImageOrientation) throws(ImagingError) -> PixelBuffer {
    try LibYUVBridge.oriented(converted(to: .bgra32), by: orientation)
  }
}

extension PixelSize {
  /// The largest size of the same proportions that fits into a box, and is not larger than this
  /// one.
  package func fitted(into box: PixelSize) -> PixelSize {
    let scale = min(
      1, Double(box.width) / Double(max(1, width)), Double(box.height) / Double(max(1, height)))
    return PixelSize(
      width: max(1, Int((Double(width) * scale).rounded())),
      height: max(1, Int((Double(height) * scale).rounded())))
  }
}
