import CPixels

/// The only place that hands pointers to the loops that draw pictures.
enum PixelTilesBridge {
  static func draw(
    _ pixels: PixelBuffer, _ placement: PixelPlacement, from pool: PixelPool, _ loops: Loops
  ) throws(ImagingError) -> PixelBuffer {
    let canvas = placement.canvas
    guard let layout = PixelLayout(format: .bgra32, width: canvas.width, height: canvas.height)
    else { throw ImagingError(.tooLarge, "A picture of \(canvas) pixels cannot be made.") }
    let block = try pool.block(byteCount: layout.byteCount(ofBlock: 0))
    let memory = block.memory
    guard
      let isDrawn = pixels.withNativePicture({
        draw(&$0, pixels.size, placement, memory, loops)
      })
    else {
      throw ImagingError(.unsupported, "\(pixels.format) cannot be drawn.")
    }
    guard isDrawn else {
      throw ImagingError(.tooLarge, "There is no memory to draw \(pixels.size).")
    }
    guard let drawn = PixelBuffer(layout: layout, color: .jpeg, blocks: [block.bytes]) else {
      throw ImagingError(.tooLarge, "A picture of \(canvas) pixels cannot be made.")
    }
    return drawn
  }

  private static func draw(
    _ picture: inout ck_pixels_picture, _ size: PixelSize, _ placement: PixelPlacement,
    _ memory: UnsafeMutableRawBufferPointer, _ loops: Loops
  ) -> Bool {
    guard let base = memory.assumingMemoryBound(to: UInt8.self).baseAddress else { return false }
    let stride = placement.canvas.width * 4
    func target(_ columns: Range<Int>, _ rows: Range<Int>) -> ck_pixels_target {
      ck_pixels_target(
        bytes: base + rows.lowerBound * stride + columns.lowerBound * 4, stride: stride,
        width: Int32(clamping: columns.count), height: Int32(clamping: rows.count))
    }
    for (columns, rows) in placement.bars {
      var bar = target(columns, rows)
      ck_pixels_fill(&bar, placement.background.bgra)
    }
    guard !placement.columns.isEmpty, !placement.rows.isEmpty else { return true }
    var drawn = target(placement.columns, placement.rows)
    let (across, down) = placement.axes(of: size)
    return ck_pixels_draw(
      &picture, ck_pixels_axis(start: across.start, step: across.step),
      ck_pixels_axis(start: down.start, step: down.step), placement.isTransposed ? 1 : 0, &drawn,
      loops.native) != 0
  }
}

// MARK: - What C calls things

extension PixelPlacement.Background {
  fileprivate var bgra: UInt32 {
    0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }
}
