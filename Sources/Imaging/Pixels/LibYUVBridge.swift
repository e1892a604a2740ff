import CLibYUV

/// Hands pointers to libyuv where BGRA, RGB24 and BGR24 are made or turned. What libyuv calls ARGB
/// is BGRA in memory.
enum LibYUVBridge {
  /// Converts to BGRA rows without a gap. libyuv's own loops for luma and chroma know one matrix
  /// only where those are packed, and its weights have too few bits; ours are used for them.
  static func bgra(
    _ pixels: PixelBuffer, from pool: PixelPool = PixelPool()
  ) throws(ImagingError) -> PixelBuffer {
    if let converted = try BGRABridge.bgra(pixels, from: pool) { return converted }
    return try make(.bgra, pixels.size, from: pool) { target, layout in
      pixels.withUnsafePlanes {
        convert(pixels, $0, target, Int32(clamping: layout.planes[0].bytesPerRow))
      }
    }
  }

  /// Converts to RGB24 or BGR24 rows without a gap.
  static func threeBytes(
    _ pixels: PixelBuffer, _ format: PixelFormat, from pool: PixelPool
  ) throws(ImagingError) -> PixelBuffer {
    let four = try bgra(pixels)
    return try make(format, pixels.size, from: pool) { target, layout in
      let row = Int32(clamping: layout.planes[0].bytesPerRow)
      return source(four) { bytes, stride, width, height in
        format == .rgb24
          ? ARGBToRAW(bytes, stride, target, row, width, height)
          : ARGBToRGB24(bytes, stride, target, row, width, height)
      }
    }
  }

  /// Turns and mirrors BGRA so that what needed an orientation is upright.
  static func oriented(
    _ pixels: PixelBuffer, by orientation: ImageOrientation, from pool: PixelPool = PixelPool()
  ) throws(ImagingError) -> PixelBuffer {
    guard orientation != .up else { return pixels }
    guard orientation.isMirrored else {
      return try rotated(pixels, orientation.rotation, from: pool)
    }
    let mirrored = try make(.bgra, pixels.size, from: pool) { target, layout in
      source(pixels) {
        ARGBMirror($0, $1, target, Int32(clamping: layout.planes[0].bytesPerRow), $2, $3)
      }
    }
    return try rotated(mirrored, orientation.rotation, from: pool)
  }

  private static func rotated(
    _ pixels: PixelBuffer, _ mode: RotationMode, from pool: PixelPool
  ) throws(ImagingError) -> PixelBuffer {
    guard mode != kRotate0 else { return pixels }
    return try make(.bgra, pixels.size.rotated(mode), from: pool) { target, layout in
      source(pixels) {
        ARGBRotate($0, $1, target, Int32(clamping: layout.planes[0].bytesPerRow), $2, $3, mode)
      }
    }
  }

  private static func source(
    _ pixels: PixelBuffer, _ body: (UnsafePointer<UInt8>?, Int32, Int32, Int32) -> Int32
  ) -> Int32 {
    pixels.withUnsafePlanes { planes in
      body(
        planes[0].assumingMemoryBound(to: UInt8.self).baseAddress,
        Int32(clamping: pixels.layout.planes[0].bytesPerRow), Int32(clamping: pixels.width),
        Int32(clamping: pixels.height))
    }
  }

  /// A new picture in one block of memory that libyuv or a loop of ours fills: it answers 0 when it
  /// did, more than 0 where it had no memory, less where it refused.
  ///
  /// - Throws: `.tooLarge` where there is no memory, `.unsupported` where it refused.
  static func make(
    _ format: PixelFormat, _ size: PixelSize, color: ColorDescription = .jpeg,
    from pool: PixelPool, _ fill: (UnsafeMutablePointer<UInt8>, PixelLayout) -> Int32
  ) throws(ImagingError) -> PixelBuffer {
    guard let layout = PixelLayout(format: format, width: size.width, height: size.height) else {
      throw ImagingError(.tooLarge, "A picture of \(size) pixels cannot be made.")
    }
    let block = try pool.block(byteCount: layout.byteCount(ofBlock: 0))
    let target = block.memory.assumingMemoryBound(to: UInt8.self).baseAddress
    let status = target.map { fill($0, layout) } ?? -1
    guard status <= 0 else {
      throw ImagingError(.tooLarge, "There is no memory to make a picture of \(size) pixels.")
    }
    guard status == 0,
      let pixels = PixelBuffer(layout: layout, color: color, blocks: [block.bytes])
    else {
      throw ImagingError(.unsupported, "A picture of \(size) pixels cannot be made.")
    }
    return pixels
  }
}

// MARK: - Conversions

extension LibYUVBridge {
  private static func convert(
    _ pixels: PixelBuffer, _ planes: [UnsafeRawBufferPointer],
    _ target: UnsafeMutablePointer<UInt8>?, _ stride: Int32
  ) -> Int32 {
    let width = Int32(clamping: pixels.width)
    let height = Int32(clamping: pixels.height)
    let row = Int32(clamping: pixels.layout.planes[0].bytesPerRow)
    let bytes = planes[0].assumingMemoryBound(to: UInt8.self).baseAddress
    switch pixels.format {
    case .grey:
      let constants = ck_yuv_grey_constants(pixels.color.range == .full ? 1 : 0)
      return I400ToARGBMatrix(bytes, row, target, stride, constants, width, height)
    case .rgb24: return RAWToARGB(bytes, row, target, stride, width, height)
    case .bgr24: return RGB24ToARGB(bytes, row, target, stride, width, height)
    case .bgra: return ARGBCopy(bytes, row, target, stride, width, height)
    default: return -1
    }
  }
}

// MARK: - Orientations as libyuv does them: mirror first, then turn clockwise

extension PixelSize {
  func rotated(_ mode: RotationMode) -> PixelSize {
    mode == kRotate90 || mode == kRotate270 ? PixelSize(width: height, height: width) : self
  }
}

extension ImageOrientation {
  var isMirrored: Bool {
    switch self {
    case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored: true
    case .up, .down, .left, .right: false
    }
  }

  var rotation: RotationMode {
    switch self {
    case .up, .upMirrored: kRotate0
    case .down, .downMirrored: kRotate180
    case .right, .rightMirrored: kRotate90
    case .left, .leftMirrored: kRotate270
    }
  }
}
