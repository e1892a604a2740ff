import CLibYUV

/// Hands pointers to libyuv where a part of a picture is copied.
enum LibYUVCropBridge {
  /// A part of a BGRA picture, which it must lie in.
  static func cropped(
    _ pixels: PixelBuffer, to rect: PixelRect
  ) throws(ImagingError) -> PixelBuffer {
    guard pixels.format == .bgra32, rect.lies(within: pixels.size) else {
      throw ImagingError(.invalidRectangle, "\(rect) is no part of \(pixels.size) pixels.")
    }
    let row = pixels.layout.planes[0].bytesPerRow
    return try LibYUVBridge.make(.bgra, rect.size, from: PixelPool()) { target, layout in
      pixels.withUnsafePlanes { planes in
        let bytes = planes[0].assumingMemoryBound(to: UInt8.self).baseAddress
        return ARGBCopy(
          bytes.map { $0 + rect.y * row + rect.x * 4 }, Int32(clamping: row), target,
          Int32(clamping: layout.planes[0].bytesPerRow), Int32(clamping: rect.width),
          Int32(clamping: rect.height))
      }
    }
  }
}
