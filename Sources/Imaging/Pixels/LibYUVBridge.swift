import CJPEG
import CLibYUV

/// The only place that hands pointers to libyuv. What libyuv calls ARGB is BGRA in memory.
enum LibYUVBridge {
  /// Converts to BGRA rows without a gap.
  static func bgra(_ pixels: PixelBuffer) throws(ImagingError) -> PixelBuffer {
    try make(width: pixels.width, height: pixels.height) { target, stride in
      pixels.withUnsafePlanes { convert(pixels, $0, target, stride) }
    }
  }

  /// Turns and mirrors BGRA so that what needed an orientation is upright.
  static func oriented(
    _ pixels: PixelBuffer, by orientation: ImageOrientation
  ) throws(ImagingError) -> PixelBuffer {
    guard orientation != .up else { return pixels }
    guard orientation.isMirrored else { return try rotated(pixels, orientation.rotation) }
    let mirrored = try make(width: pixels.width, height: pixels.height) { target, stride in
      source(pixels) { ARGBMirror($0, $1, target, stride, $2, $3) }
    }
    return try rotated(mirrored, orientation.rotation)
  }

  private static func rotated(
    _ pixels: PixelBuffer, _ mode: RotationMode
  ) throws(ImagingError) -> PixelBuffer {
    guard mode != kRotate0 else { return pixels }
    let swaps = mode != kRotate180
    return try make(
      width: swaps ? pixels.height : pixels.width, height: swaps ? pixels.width : pixels.height
    ) { target, stride in
      source(pixels) { ARGBRotate($0, $1, target, stride, $2, $3, mode) }
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

  /// A new BGRA picture that libyuv fills; it answers 0 when it did.
  private static func make(
    width: Int, height: Int, _ fill: (UnsafeMutablePointer<UInt8>?, Int32) -> Int32
  ) throws(ImagingError) -> PixelBuffer {
    guard let layout = PixelLayout(format: .bgra32, width: width, height: height) else {
      throw ImagingError(.tooLarge, "A picture of \(width)×\(height) pixels cannot be made.")
    }
    var status: Int32 = -1
    let byteCount = width * height * 4
    let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { target, count in
      status = fill(target.baseAddress, Int32(clamping: width * 4))
      count = status == 0 ? byteCount : 0
    }
    guard status == 0, let pixels = PixelBuffer(layout: layout, bytes: bytes) else {
      throw ImagingError(.unsupported, "libyuv refused a picture of \(width)×\(height) pixels.")
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

  /// libyuv knows one matrix only for packed samples, and its weight for blue ends at 2, which is too
  /// little for limited BT.709 and BT.2020. Our own loops split and expand those.
  private static func needsStrips(_ pixels: PixelBuffer) -> Bool {
    switch pixels.format {
    case .yuyv, .uyvy: true
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

extension ImageOrientation {
  fileprivate var isMirrored: Bool {
    switch self {
    case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored: true
    case .up, .down, .left, .right: false
    }
  }

  fileprivate var rotation: RotationMode {
    switch self {
    case .up, .upMirrored: kRotate0
    case .down, .downMirrored: kRotate180
    case .right, .rightMirrored: kRotate90
    case .left, .leftMirrored: kRotate270
    }
  }
}
