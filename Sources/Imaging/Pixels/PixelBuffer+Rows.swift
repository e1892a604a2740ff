extension PixelBuffer {
  /// The bytes of one row that carry samples; what fills the row up to the next one is left out.
  ///
  /// - Parameters:
  ///   - plane: An index of `layout.planes`; an index out of bounds traps, as an array's does.
  ///   - row: A row of that plane, from 0; the same holds.
  /// - Returns: A view that ends with the picture's own life.
  @_lifetime(borrow self)
  public func bytes(ofPlane plane: Int, row: Int) -> RawSpan {
    let place = layout.planes[plane]
    precondition((0..<place.rowCount).contains(row), "The plane has \(place.rowCount) rows.")
    let start = row * place.bytesPerRow
    return _overrideLifetime(
      bytes(ofPlane: plane).extracting(start..<start + place.sampleBytesPerRow), borrowing: self)
  }

  /// Makes a picture, row by row.
  ///
  /// ```swift
  /// let ramp = try PixelBuffer(format: .grey, width: 256, height: 64) { _, _, row in
  ///   for x in 0..<row.byteCount { row.storeBytes(of: UInt8(x), toByteOffset: x, as: UInt8.self) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - format: An uncompressed format that this library reads, its planes in one block of memory.
  ///   - width: Pixels in a row, 1 to `PixelLayout.maximumSide`.
  ///   - height: Rows, 1 to `PixelLayout.maximumSide`.
  ///   - alignment: All rows begin at multiples of this many bytes: 1, 2, 4 … 64.
  ///   - color: What the samples stand for; by default what they mean where nobody says.
  ///   - fill: Called once for each row of each plane, from above, with the bytes that carry its
  ///     samples. They are 0 at first.
  /// - Throws: `.unsupported` for other formats and alignments, `.tooLarge` for sizes out of bounds
  ///   and where there is no memory; what `fill` throws.
  public init(
    format: PixelFormat, width: Int, height: Int, alignment: Int = 1,
    color: ColorDescription? = nil,
    filledBy fill: (_ plane: Int, _ row: Int, _ bytes: inout MutableRawSpan)
      throws(ImagingError) -> Void
  ) throws(ImagingError) {
    guard PixelLayout(format: format, width: 1, height: 1)?.blockCount == 1 else {
      throw ImagingError(.unsupported, "No picture can be made of \(format) samples.")
    }
    guard PixelLayout.alignments.contains(alignment) else {
      throw ImagingError(.unsupported, "Rows cannot be aligned to \(alignment) bytes.")
    }
    guard
      let layout = PixelLayout(format: format, width: width, height: height, alignment: alignment)
    else { throw ImagingError(.tooLarge, "A picture of \(width)×\(height) pixels cannot be made.") }
    let block = try PixelPool().block(byteCount: layout.byteCount(ofBlock: 0))
    block.clear()
    for (index, plane) in layout.planes.enumerated() {
      for row in 0..<plane.rowCount {
        let start = plane.offset + row * plane.bytesPerRow
        try block.change(start..<start + plane.sampleBytesPerRow) {
          (bytes: inout MutableRawSpan) throws(ImagingError) in try fill(index, row, &bytes)
        }
      }
    }
    let meaning = color ?? .assumed(for: format)
    guard let pixels = PixelBuffer(layout: layout, color: meaning, blocks: [block.bytes]) else {
      throw ImagingError(.tooLarge, "A picture of \(width)×\(height) pixels cannot be made.")
    }
    self = pixels
  }
}

// MARK: - Parts of a picture

extension PixelBuffer {
  /// A part of the picture, which shares its samples; nothing is copied.
  ///
  /// - Parameters:
  ///   - columns: Pixels from the left; they begin with an even one where pixels share chroma.
  ///   - rows: Rows from above; they begin with an even one where rows share chroma.
  /// - Returns: The part; nil where it is empty, not within the picture, or begins within shared
  ///   chroma.
  public func part(columns: Range<Int>, rows: Range<Int>) -> PixelBuffer? {
    guard let part = layout.part(columns: columns, rows: rows) else { return nil }
    return PixelBuffer(layout: part, color: color, blocks: blocks)
  }
}
