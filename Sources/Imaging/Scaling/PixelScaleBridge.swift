import CScale

/// The only place that hands pointers to the loops that change the size of pixels.
enum PixelScaleBridge {
  /// A BGRA picture's part at another size.
  static func scaled(
    _ pixels: PixelBuffer, _ placement: ScalePlacement, _ options: ScaleOptions
  ) throws(ImagingError) -> PixelBuffer {
    let error = ImagingError(
      .tooLarge, "There is no memory for a picture of \(placement.target) pixels.")
    guard
      let layout = PixelLayout(
        format: .bgra32, width: placement.target.width, height: placement.target.height)
    else { throw error }
    var wish = ck_scale_wish()
    (wish.x, wish.y) = (placement.x, placement.y)
    (wish.width, wish.height) = (placement.width, placement.height)
    wish.target_width = Int32(clamping: layout.width)
    wish.target_height = Int32(clamping: layout.height)
    wish.is_linear = options.isLinear ? 1 : 0
    wish.least_ratio = options.leastRatio
    wish.loops = loops(options.loops)
    let block = try PixelPool().block(byteCount: layout.byteCount(ofBlock: 0))
    let isDone = pixels.withUnsafePlanes { planes in
      guard let source = planes[0].assumingMemoryBound(to: UInt8.self).baseAddress,
        let target = block.memory.assumingMemoryBound(to: UInt8.self).baseAddress
      else { return false }
      return ck_scale_pixels(
        source, pixels.layout.planes[0].bytesPerRow, Int32(clamping: pixels.width),
        Int32(clamping: pixels.height), &wish, target, layout.planes[0].bytesPerRow) != 0
    }
    guard isDone, let scaled = PixelBuffer(layout: layout, color: .jpeg, blocks: [block.bytes])
    else { throw error }
    return scaled
  }

  static func loops(_ loops: ScaleOptions.Loops) -> ck_scale_loops {
    switch loops {
    case .best: CK_SCALE_BEST_LOOPS
    case .baseline: CK_SCALE_BASELINE_LOOPS
    case .portable: CK_SCALE_PORTABLE_LOOPS
    }
  }
}
