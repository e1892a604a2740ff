extension PixelBuffer {
  /// Draws the picture on a canvas: cropped, scaled, converted to BGRA, turned and mirrored in one
  /// pass, range and matrix honoured.
  ///
  /// - Parameters:
  ///   - placement: Where the picture lies on the canvas.
  ///   - pool: Where the canvas's memory comes from and goes to.
  /// - Returns: The canvas, BGRA, rows without a gap.
  /// - Throws: `.unsupported` for formats that are not read, `.tooLarge` for a canvas that cannot
  ///   be.
  package func drawn(
    _ placement: PixelPlacement, from pool: PixelPool = PixelPool()
  ) throws(ImagingError) -> PixelBuffer {
    try PixelTilesBridge.draw(self, placement, from: pool, .best)
  }
}

extension PixelLayout {
  /// Columns and rows.
  var size: PixelSize { PixelSize(width: width, height: height) }
}

extension PixelPlacement {
  /// What is left of the canvas beside the picture: above, below, left, right.
  var bars: [(columns: Range<Int>, rows: Range<Int>)] {
    let all = 0..<canvas.width
    guard !columns.isEmpty, !rows.isEmpty else { return [(all, 0..<canvas.height)] }
    return [
      (all, 0..<rows.lowerBound), (all, rows.upperBound..<canvas.height),
      (0..<columns.lowerBound, rows), (columns.upperBound..<canvas.width, rows),
    ].filter { !$0.0.isEmpty && !$0.1.isEmpty }
  }
}
