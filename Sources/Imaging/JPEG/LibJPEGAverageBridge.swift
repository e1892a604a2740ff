import CJPEG

/// Hands pointers to libjpeg where a picture is looked at in small.
enum LibJPEGAverageBridge {
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
}
