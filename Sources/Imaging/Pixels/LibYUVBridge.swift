import CJPEG
import CLibYUV

/// The only place that hands pointers to libyuv. What libyuv calls ARGB is BGRA in memory.
enum LibYUVBridge {
  /// Converts to BGRA rows without a gap.
  static func bgra(
    _ pixels: PixelBuffer, from pool: PixelPool = PixelPool()
  ) throws(ImagingError) -> PixelBuffer {
    try make(.bgra, pixels.size, from: pool) { target, layout in
      pixels.withUnsafePlanes {
        convert(pixels, $0, target, Int32(clamping: layout.planes[0].bytesPerRow))
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

  /// A new picture in one block of memory that libyuv fills; it answers 0 when it did.
  static func make(
    _ format: PixelFormat, _ size: PixelSize, color: ColorDescription = .jpeg,
    from pool: PixelPool, _ fill: (UnsafeMutablePointer<UInt8>, PixelLayout) -> Int32
  ) throws(ImagingError) -> PixelBuffer {
    guard let layout = PixelLayout(format: format, width: size.width, height: size.height) else {
      throw ImagingError(.tooLarge, "A picture of \(size) pixels cannot be made.")
    }
    let block = pool.block(byteCount: layout.byteCount(ofBlock: 0))
    guard let target = block.memory.assumingMemoryBound(to: UInt8.self).baseAddress,
      fill(target, layout) == 0,
      let pixels = PixelBuffer(layout: layout, color: color, blocks: [block.bytes])
    else {
      throw ImagingError(.unsupported, "libyuv refused a picture of \(size) pixels.")
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
    if needsStrips(pixels) { return convertStrips(pixels, planes, target, stride) }
    let constants = constants(pixels.color)
    let rows = pixels.layout.planes.map { Int32(clamping: $0.bytesPerRow) }
    let at = planes.map { $0.assumingMemoryBound(to: UInt8.self).baseAddress }
    switch pixels.format {
    case .yuyv: return YUY2ToARGB(at[0], rows[0], target, stride, width, height)
    case .uyvy: return UYVYToARGB(at[0], rows[0], target, stride, width, height)
    case .nv12, .nv12Multiplanar:
      return NV12ToARGBMatrix(
        at[0], rows[0], at[1], rows[1], target, stride, constants, width, height)
    case .yuv420, .yuv420Multiplanar:
      return I420ToARGBMatrix(
        at[0], rows[0], at[1], rows[1], at[2], rows[2], target, stride, constants, width, height)
    case .grey: return I400ToARGBMatrix(at[0], rows[0], target, stride, constants, width, height)
    case .rgb24: return RAWToARGB(at[0], rows[0], target, stride, width, height)
    case .bgr24: return RGB24ToARGB(at[0], rows[0], target, stride, width, height)
    case .bgra32: return ARGBCopy(at[0], rows[0], target, stride, width, height)
    default: return -1
    }
  }

  /// libyuv knows one meaning only of packed samples, limited BT.601, and its weight for blue ends at 2, which
  /// is too little for limited BT.709 and BT.2020. Our own loops split and expand those.
  private static func needsStrips(_ pixels: PixelBuffer) -> Bool {
    switch pixels.format {
    case .yuyv, .uyvy: pixels.color != .bt601Limited
    case .nv12, .nv12Multiplanar, .yuv420, .yuv420Multiplanar:
      pixels.color.range == .limited && pixels.color.matrix != .bt601
    default: false
    }
  }

  private static func convertStrips(
    _ pixels: PixelBuffer, _ planes: [UnsafeRawBufferPointer],
    _ target: UnsafeMutablePointer<UInt8>?, _ targetStride: Int32
  ) -> Int32 {
    guard let target, let samples = LibJPEGBridge.samples(of: pixels.format) else { return -1 }
    var picture = LibJPEGBridge.picture(pixels, samples, planes)
    let isPacked = pixels.format == .yuyv || pixels.format == .uyvy
    let convert = isPacked ? I422ToARGBMatrix : I420ToARGBMatrix
    let half = (pixels.width + 1) / 2
    let constants = constants(ColorDescription(matrix: pixels.color.matrix, range: .full))
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: stripRows * half * 4) { spare in
      guard let y = spare.baseAddress else { return -1 }
      let u = y + stripRows * half * 2
      let v = u + stripRows * half
      for top in stride(from: 0, to: pixels.height, by: stripRows) {
        let count = Int32(min(stripRows, pixels.height - top))
        ck_jpeg_split_rows(&picture, Int32(top), count, y, u, v, half * 2)
        _ = convert(
          y, Int32(half * 2), u, Int32(half), v, Int32(half), target + top * Int(targetStride),
          targetStride, constants, picture.width, count)
      }
      return 0
    }
  }

  /// Few enough to stay in the processor's nearest cache.
  private static let stripRows = 16

  private static func constants(_ color: ColorDescription) -> UnsafePointer<YuvConstants> {
    let matrix: Int32 =
      switch color.matrix {
      case .bt601: 601
      case .bt709: 709
      case .bt2020: 2020
      }
    return ck_yuv_constants(matrix, color.range == .full ? 1 : 0)
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
