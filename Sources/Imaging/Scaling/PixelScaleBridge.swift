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
    var wish = ck_scale_wish(placement, options)
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
}

extension ck_scale_wish {
  init(_ placement: ScalePlacement, _ options: ScaleOptions) {
    self.init(
      x: placement.x, y: placement.y, width: placement.width, height: placement.height,
      target_width: Int32(clamping: placement.target.width),
      target_height: Int32(clamping: placement.target.height), is_linear: options.isLinear ? 1 : 0,
      least_ratio: options.leastRatio, loops: options.loops.native)
  }
}
