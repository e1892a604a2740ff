import CJPEG

/// Hands pointers to libjpeg where a picture is looked at in small.
enum LibJPEGSmallBridge {
  /// The mean of a picture; nil where it is damaged, or of a kind that no camera sends.
  static func averageColor(of jpeg: RawSpan) -> AverageColor? {
    var means: (Double, Double, Double) = (0, 0, 0)
    var report = ck_jpeg_report()
    var message = ck_jpeg_message()
    let status = jpeg.withUnsafeBytes { bytes -> ck_jpeg_status in
      guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else {
        return CK_JPEG_CORRUPT
      }
      return withUnsafeMutableBytes(of: &means) { means in
        means.withMemoryRebound(to: Double.self) { means in
          guard let means = means.baseAddress else { return CK_JPEG_CORRUPT }
          return ck_jpeg_average(start, bytes.count, means, &report, &message)
        }
      }
    }
    guard status == CK_JPEG_OK, report.damaged == 0 else { return nil }
    return AverageColor(
      luma: means.0, blueDifference: means.1 - 128, redDifference: means.2 - 128)
  }

  /// Decodes to BGRA with both sides divided by 1, 2, 4 or 8, rounded up.
  ///
  /// - Parameters:
  ///   - jpeg: A whole picture of one scan.
  ///   - size: The size that its header says.
  ///   - denominator: 1, 2, 4 or 8.
  /// - Returns: nil where the picture cannot be decoded in this way.
  static func decode(_ jpeg: RawSpan, size: PixelSize, dividedBy denominator: Int) -> PixelBuffer? {
    let width = (size.width + denominator - 1) / denominator
    let height = (size.height + denominator - 1) / denominator
    guard let layout = PixelLayout(format: .bgra32, width: width, height: height) else {
      return nil
    }
    var report = ck_jpeg_report()
    var message = ck_jpeg_message()
    var status = CK_JPEG_CORRUPT
    let pixels = jpeg.withUnsafeBytes { bytes in
      [UInt8](unsafeUninitializedCapacity: width * height * 4) { pixels, count in
        guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
          let target = pixels.baseAddress
        else { return }
        status = ck_jpeg_decode_small(
          start, bytes.count, Int32(denominator), Int32(clamping: width), Int32(clamping: height),
          target, width * 4, &report, &message)
        count = status == CK_JPEG_OK ? width * height * 4 : 0
      }
    }
    guard status == CK_JPEG_OK, report.damaged == 0 else { return nil }
    return PixelBuffer(layout: layout, bytes: pixels)
  }
}
