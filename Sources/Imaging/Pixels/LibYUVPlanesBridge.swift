import CLibYUV

/// Hands pointers to libyuv where luma and chroma lie in planes of their own.
enum LibYUVPlanesBridge {
  /// A luma plane, and a plane of chroma pairs.
  private struct Planes<Pointer> {
    let luma: Pointer
    let lumaStride: Int32
    let chroma: Pointer
    let chromaStride: Int32
  }

  /// Brings luma and chroma to NV12 rows without a gap; range and matrix stay.
  static func nv12(
    _ pixels: PixelBuffer, from pool: PixelPool
  ) throws(ImagingError) -> PixelBuffer {
    try LibYUVBridge.make(.nv12, pixels.size, color: pixels.color, from: pool) { target, layout in
      pixels.withUnsafePlanes { convert(pixels, $0, planes(target, layout)) }
    }
  }

  /// Turns and mirrors NV12 so that what needed an orientation is upright.
  static func oriented(
    _ pixels: PixelBuffer, by orientation: ImageOrientation, from pool: PixelPool
  ) throws(ImagingError) -> PixelBuffer {
    let mirrored = orientation.isMirrored ? try mirrored(pixels, from: pool) : pixels
    let mode = orientation.rotation
    guard mode != kRotate0 else { return mirrored }
    let planar = try LibYUVBridge.make(
      .yuv420, pixels.size.rotated(mode), color: pixels.color, from: pool
    ) { target, layout in
      let rows = layout.planes.map { Int32(clamping: $0.bytesPerRow) }
      let at = layout.planes.map { target + $0.offset }
      return source(mirrored) { from in
        NV12ToI420Rotate(
          from.luma, from.lumaStride, from.chroma, from.chromaStride, at[0], rows[0], at[1],
          rows[1], at[2], rows[2], Int32(clamping: pixels.width), Int32(clamping: pixels.height),
          mode)
      }
    }
    return try nv12(planar, from: pool)
  }

  private static func mirrored(
    _ pixels: PixelBuffer, from pool: PixelPool
  ) throws(ImagingError) -> PixelBuffer {
    try LibYUVBridge.make(.nv12, pixels.size, color: pixels.color, from: pool) {
      target, layout in
      let to = planes(target, layout)
      return source(pixels) { from in
        NV12Mirror(
          from.luma, from.lumaStride, from.chroma, from.chromaStride, to.luma, to.lumaStride,
          to.chroma, to.chromaStride, Int32(clamping: pixels.width),
          Int32(clamping: pixels.height))
      }
    }
  }

  private static func source(
    _ pixels: PixelBuffer, _ body: (Planes<UnsafePointer<UInt8>?>) -> Int32
  ) -> Int32 {
    pixels.withUnsafePlanes { planes in
      let at = planes.map { $0.assumingMemoryBound(to: UInt8.self).baseAddress }
      let rows = pixels.layout.planes.map { Int32(clamping: $0.bytesPerRow) }
      return body(
        Planes(luma: at[0], lumaStride: rows[0], chroma: at[1], chromaStride: rows[1]))
    }
  }

  private static func planes(
    _ target: UnsafeMutablePointer<UInt8>, _ layout: PixelLayout
  ) -> Planes<UnsafeMutablePointer<UInt8>> {
    let rows = layout.planes.map { Int32(clamping: $0.bytesPerRow) }
    return Planes(
      luma: target, lumaStride: rows[0], chroma: target + layout.planes[1].offset,
      chromaStride: rows[1])
  }

  private static func convert(
    _ pixels: PixelBuffer, _ planes: [UnsafeRawBufferPointer],
    _ to: Planes<UnsafeMutablePointer<UInt8>>
  ) -> Int32 {
    let width = Int32(clamping: pixels.width)
    let height = Int32(clamping: pixels.height)
    let rows = pixels.layout.planes.map { Int32(clamping: $0.bytesPerRow) }
    let at = planes.map { $0.assumingMemoryBound(to: UInt8.self).baseAddress }
    let chromaWidth = (width + 1) / 2 * 2
    let chromaHeight = (height + 1) / 2
    switch pixels.format {
    case .yuyv:
      return YUY2ToNV12(
        at[0], rows[0], to.luma, to.lumaStride, to.chroma, to.chromaStride, width, height)
    case .uyvy:
      return UYVYToNV12(
        at[0], rows[0], to.luma, to.lumaStride, to.chroma, to.chromaStride, width, height)
    case .yuv420, .yuv420Multiplanar:
      return I420ToNV12(
        at[0], rows[0], at[1], rows[1], at[2], rows[2], to.luma, to.lumaStride, to.chroma,
        to.chromaStride, width, height)
    case .nv12, .nv12Multiplanar:
      CopyPlane(at[0], rows[0], to.luma, to.lumaStride, width, height)
      CopyPlane(at[1], rows[1], to.chroma, to.chromaStride, chromaWidth, chromaHeight)
    case .grey:
      CopyPlane(at[0], rows[0], to.luma, to.lumaStride, width, height)
      SetPlane(to.chroma, to.chromaStride, chromaWidth, chromaHeight, 128)
    default: return -1
    }
    return 0
  }
}
