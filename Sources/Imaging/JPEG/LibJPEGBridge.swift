import CJPEG
import Foundation

/// The only place that hands pointers to libjpeg.
enum LibJPEGBridge {
  /// More scans than any camera or program writes; a file of a few kilobytes with thousands of
  /// them keeps a processor busy for minutes.
  static let scanLimit = 500

  /// Which of C's loops convert samples; all give the same samples.
  enum Loops { case best, baseline, portable }

  /// What a decoder saw and went on in spite of.
  struct Report {
    /// Samples are missing or wrong.
    var isDamaged: Bool
    /// The bytes stop before the end marker.
    var isEndMissing: Bool

    fileprivate init(_ native: ck_jpeg_report) {
      isDamaged = native.damaged != 0
      isEndMissing = native.end_missing != 0
    }
  }

  struct EncodeOptions {
    /// 1 to 100.
    var quality: Int
    /// Whether RGB keeps its chroma whole, 4:4:4 instead of 4:2:2.
    var keepsFullChroma: Bool
    /// The content of the APP1 segment, empty for none.
    var exif: [UInt8]
    var loops = Loops.best
  }

  static func encode(
    _ pixels: PixelBuffer, _ options: EncodeOptions
  ) throws(ImagingError) -> Data {
    guard let samples = samples(of: pixels.format) else {
      throw ImagingError(.unsupported, "No JPEG can be made of \(pixels.format) samples.")
    }
    var bytes: UnsafeMutablePointer<UInt8>?
    var byteCount = 0
    var message = ck_jpeg_message()
    let status = pixels.withUnsafePlanes { planes in
      options.exif.withUnsafeBufferPointer { exif in
        var picture = picture(pixels, samples, planes)
        var native = ck_jpeg_encode_options(
          loops: loops(options.loops), quality: Int32(clamping: options.quality),
          full_chroma: options.keepsFullChroma ? 1 : 0,
          exif: exif.baseAddress, exif_size: exif.count)
        return ck_jpeg_encode(&picture, &native, &bytes, &byteCount, &message)
      }
    }
    guard status == CK_JPEG_OK, let bytes else {
      throw error(status, message, "The picture could not be encoded")
    }
    return Data(bytesNoCopy: bytes, count: byteCount, deallocator: .free)
  }

  /// Decodes to BGRA rows without a gap.
  static func decode(
    _ jpeg: RawSpan, width: Int, height: Int, from pool: PixelPool
  ) throws(ImagingError) -> (pixels: SharedBytes, report: Report) {
    var report = ck_jpeg_report()
    var message = ck_jpeg_message()
    var status = CK_JPEG_CORRUPT
    let block = pool.block(byteCount: width * height * 4)
    let pixels = block.memory.assumingMemoryBound(to: UInt8.self).baseAddress
    _ = lend(jpeg) { bytes, count in
      status = ck_jpeg_decode(
        bytes, count, Int32(clamping: width), Int32(clamping: height), pixels, width * 4,
        Int32(scanLimit), &report, &message)
      return status
    }
    guard status == CK_JPEG_OK else {
      throw error(status, message, "The JPEG is damaged")
    }
    return (block.bytes, Report(report))
  }

  /// Reads all the samples and keeps none.
  static func check(
    _ jpeg: RawSpan, width: Int, height: Int
  ) throws(ImagingError) -> Report {
    var report = ck_jpeg_report()
    var message = ck_jpeg_message()
    let status = lend(jpeg) { bytes, count in
      ck_jpeg_decode(
        bytes, count, Int32(clamping: width), Int32(clamping: height), nil, 0, Int32(scanLimit),
        &report, &message)
    }
    guard status == CK_JPEG_OK else {
      throw error(status ?? CK_JPEG_CORRUPT, message, "The JPEG is damaged")
    }
    return Report(report)
  }

  /// The offset of the next marker that is neither stuffing, filling nor, unless wanted, restart; nil where
  /// none is.
  static func nextMarker(
    in jpeg: RawSpan, from offset: Int, withRestarts: Bool = false
  ) -> Int? {
    guard offset >= 0, offset < jpeg.byteCount else { return nil }
    let place = lend(jpeg) { ck_jpeg_next_marker($0, offset, $1, withRestarts ? 1 : 0) }
    return place.flatMap { $0 < jpeg.byteCount ? $0 : nil }
  }
}

// MARK: - What C calls things

extension LibJPEGBridge {
  static func samples(of format: PixelFormat) -> ck_jpeg_samples? {
    switch format {
    case .yuyv: CK_JPEG_YUYV
    case .uyvy: CK_JPEG_UYVY
    case .nv12, .nv12Multiplanar: CK_JPEG_SEMI_PLANAR
    case .yuv420, .yuv420Multiplanar: CK_JPEG_PLANAR
    case .grey: CK_JPEG_GREY
    case .rgb24: CK_JPEG_RGB
    case .bgr24: CK_JPEG_BGR
    case .bgra32: CK_JPEG_BGRX
    default: nil
    }
  }

  private static func loops(_ loops: Loops) -> ck_jpeg_loops {
    switch loops {
    case .best: CK_JPEG_BEST_LOOPS
    case .baseline: CK_JPEG_BASELINE_LOOPS
    case .portable: CK_JPEG_PORTABLE_LOOPS
    }
  }

  static func picture(
    _ pixels: PixelBuffer, _ samples: ck_jpeg_samples, _ planes: [UnsafeRawBufferPointer]
  ) -> ck_jpeg_picture {
    var picture = ck_jpeg_picture()
    picture.samples = samples
    picture.width = Int32(clamping: pixels.width)
    picture.height = Int32(clamping: pixels.height)
    picture.limited_range = pixels.color.range == .limited ? 1 : 0
    picture.matrix =
      switch pixels.color.matrix {
      case .bt601: CK_JPEG_BT601
      case .bt709: CK_JPEG_BT709
      case .bt2020: CK_JPEG_BT2020
      }
    (picture.planes.0, picture.strides.0) = pixels.place(0, in: planes)
    (picture.planes.1, picture.strides.1) = pixels.place(1, in: planes)
    (picture.planes.2, picture.strides.2) = pixels.place(2, in: planes)
    return picture
  }

  private static func error(
    _ status: ck_jpeg_status, _ message: ck_jpeg_message, _ what: String
  ) -> ImagingError {
    let reason = withUnsafeBytes(of: message.text) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    let sentence = reason.isEmpty ? "\(what)." : "\(what): \(reason)."
    switch status {
    case CK_JPEG_UNSUPPORTED: return ImagingError(.unsupported, sentence)
    case CK_JPEG_TOO_LARGE, CK_JPEG_NO_MEMORY: return ImagingError(.tooLarge, sentence)
    default: return ImagingError(.corrupt, sentence)
    }
  }

  /// Lends bytes to C for the time of one call.
  private static func lend<Result>(
    _ span: RawSpan, _ body: (UnsafePointer<UInt8>, Int) -> Result?
  ) -> Result? {
    span.withUnsafeBytes { bytes in
      bytes.assumingMemoryBound(to: UInt8.self).baseAddress.flatMap { body($0, bytes.count) }
    }
  }
}
