extension PixelLayout {
  /// What rows can be aligned to, in bytes: memory itself is to the last of them.
  static let alignments = [1, 2, 4, 8, 16, 32, 64]

  /// Lays a picture out so that all rows begin at multiples of a number of bytes; nil for other
  /// formats, sizes and alignments than these.
  ///
  /// - Parameters:
  ///   - format: An uncompressed format that this library reads.
  ///   - width: Pixels in a row, 1 to `maximumSide`.
  ///   - height: Rows, 1 to `maximumSide`.
  ///   - alignment: 1, 2, 4 … 64.
  public init?(format: PixelFormat, width: Int, height: Int, alignment: Int) {
    guard Self.alignments.contains(alignment),
      let tight = PixelLayout(format: format, width: width, height: height)
    else { return nil }
    guard alignment > 1 else {
      self = tight
      return
    }
    let rows = (0..<tight.blockCount).map { block in
      let planes = tight.planes.filter { $0.block == block }
      // Chroma rows of YU12 are half as long as those of luma in the same block.
      let divisor = planes.count == 3 ? 2 : 1
      let longest =
        planes.enumerated().map { index, plane in
          plane.sampleBytesPerRow * (index == 0 ? 1 : divisor)
        }.max() ?? 0
      let unit = alignment * divisor
      return (longest + unit - 1) / unit * unit
    }
    self.init(format: format, width: width, height: height, bytesPerRow: rows)
  }

  /// The layout of a part of the picture in the same blocks; nil where it is empty, not within the
  /// picture, or begins within shared chroma.
  func part(columns: Range<Int>, rows: Range<Int>) -> PixelLayout? {
    let isPacked = format == .yuyv || format == .uyvy
    guard !columns.isEmpty, !rows.isEmpty, columns.lowerBound >= 0, rows.lowerBound >= 0,
      columns.upperBound <= width, rows.upperBound <= height,
      !format.isYCbCr || columns.lowerBound.isMultiple(of: 2),
      !format.isYCbCr || isPacked || rows.lowerBound.isMultiple(of: 2),
      let tight = PixelLayout(format: format, width: columns.count, height: rows.count)
    else { return nil }
    let planes = zip(planes, tight.planes).enumerated().map { index, pair in
      var (plane, part) = pair
      let row = index == 0 ? rows.lowerBound : rows.lowerBound / 2
      plane.offset += row * plane.bytesPerRow + offset(ofColumn: columns.lowerBound, plane: index)
      plane.sampleBytesPerRow = part.sampleBytesPerRow
      plane.rowCount = part.rowCount
      return plane
    }
    return PixelLayout(tight, planes: planes)
  }

  /// Bytes from a row's start to a pixel's samples.
  private func offset(ofColumn column: Int, plane: Int) -> Int {
    switch format {
    case .yuyv, .uyvy: column * 2
    case .rgb24, .bgr24: column * 3
    case .bgra32: column * 4
    case .yuv420, .yuv420Multiplanar: plane == 0 ? column : column / 2
    default: column
    }
  }
}
