import CJPEG
import CPixels
import Foundation

/// Hands pointers to libjpeg where pictures are encoded, decoded and checked.
enum LibJPEGBridge {
  /// What a decoder saw and went on in spite of.
  struct Report {
    /// Samples are missing or wrong.
    var isDamaged: Bool
    /// The bytes stop before the end marker.
    var isEndMissing: Bool
    /// Rows that came before the first damage.
    var wholeRowCount: Int

    init(_ native: ck_jpeg_report) {
      isDamaged = native.damaged != 0
      isEndMissing = native.end_missing != 0
      wholeRowCount = Int(native.whole_rows)
    }
  }

  struct EncodeOptions {
    /// 1 to 100.
    var quality: Int
    /// Whether RGB keeps its chroma whole, 4:4:4 instead of 4:2:2.
    var keepsFullChroma: Bool
    /// The content of the APP1 segment, empty for none.
    var exif: [UInt8]
    /// How many threads may work, the caller's among them.
    var threads = 1
    var loops = Loops.best
    /// Which thread's work fails, from 1: for tests alone.
    var failingPart = 0
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
          loops: options.loops.native, quality: Int32(clamping: options.quality),
          full_chroma: options.keepsFullChroma ? 1 : 0,
          exif: exif.baseAddress, exif_size: exif.count, threads: Int32(clamping: options.threads),
          failing_part: Int32(clamping: options.failingPart))
        return ck_jpeg_encode(&picture, &native, &bytes, &byteCount, &message)
      }
    }
    guard status == CK_JPEG_OK, let bytes else {
      throw error(status, message, isReading: false)
    }
    return Data(bytesNoCopy: bytes, count: byteCount, deallocator: .free)
  }

  /// Decodes to BGRA rows without a gap.
  ///
  /// - Parameters:
  ///   - jpeg: A picture.
  ///   - size: What its header says.
  ///   - detail: How many samples become of a block's eight.
  ///   - limits: What decoding may cost, pixels included.
  ///   - allowsDamage: Whether what is there counts in spite of damage; otherwise the first damage
  ///     is thrown.
  ///   - pool: Where the pixels' memory comes from.
  /// - Returns: The rows, and what was seen.
  /// - Throws: `.tooLarge` above a limit, `.corrupt`, `.unsupported`.
  static func decode(
    _ jpeg: RawSpan, _ size: PixelSize, _ detail: JPEGDetail = .full, limits: Image.Limits,
    allowsDamage: Bool, from pool: PixelPool
  ) throws(ImagingError) -> (pixels: SharedBytes, report: Report) {
    let byteCount = detail.size(of: size).pixelCount * 4
    var native = try ck_jpeg_limits(limits, pixelByteCount: byteCount)
    let block = try pool.block(byteCount: byteCount)
    let pixels = block.memory.assumingMemoryBound(to: UInt8.self).baseAddress
    let report = try decode(jpeg, size, detail, &native, allowsDamage, to: pixels)
    return (block.bytes, report)
  }

  /// Reads all the samples and keeps none.
  static func check(
    _ jpeg: RawSpan, _ size: PixelSize, limits: Image.Limits = .standard
  ) throws(ImagingError) -> Report {
    var native = try ck_jpeg_limits(limits, pixelByteCount: 0)
    return try decode(jpeg, size, .full, &native, false, to: nil)
  }

  private static func decode(
    _ jpeg: RawSpan, _ size: PixelSize, _ detail: JPEGDetail, _ limits: inout ck_jpeg_limits,
    _ allowsDamage: Bool, to pixels: UnsafeMutablePointer<UInt8>?
  ) throws(ImagingError) -> Report {
    var report = ck_jpeg_report()
    var message = ck_jpeg_message()
    let status = lend(jpeg) { bytes, count in
      ck_jpeg_decode(
        bytes, count, Int32(clamping: size.width), Int32(clamping: size.height),
        Int32(detail.rawValue), pixels, detail.size(of: size).width * 4, &limits,
        allowsDamage ? 1 : 0, &report, &message)
    }
    guard status == CK_JPEG_OK else {
      throw error(status ?? CK_JPEG_CORRUPT, message)
    }
    return Report(report)
  }

  /// The offset of the next marker that is neither stuffing, filling nor, unless wanted, restart;
  /// nil where none is.
  static func nextMarker(
    in jpeg: RawSpan, from offset: Int, withRestarts: Bool = false, _ loops: Loops = .best
  ) -> Int? {
    guard offset >= 0, offset < jpeg.byteCount else { return nil }
    let place = lend(jpeg) {
      ck_jpeg_next_marker($0, offset, $1, withRestarts ? 1 : 0, loops.native)
    }
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

  static func picture(
    _ pixels: PixelBuffer, _ samples: ck_jpeg_samples, _ planes: [UnsafeRawBufferPointer]
  ) -> ck_jpeg_picture {
    var picture = ck_jpeg_picture()
    picture.samples = samples
    picture.width = Int32(clamping: pixels.width)
    picture.height = Int32(clamping: pixels.height)
    picture.meaning = ck_colour_meaning(pixels.color)
    (picture.planes.0, picture.strides.0) = pixels.place(0, in: planes)
    (picture.planes.1, picture.strides.1) = pixels.place(1, in: planes)
    (picture.planes.2, picture.strides.2) = pixels.place(2, in: planes)
    return picture
  }

  static func sentence(of message: ck_jpeg_message) -> String {
    withUnsafeBytes(of: message.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  static func error(
    _ status: ck_jpeg_status, _ message: ck_jpeg_message, isReading: Bool = true
  ) -> ImagingError {
    let what = isReading ? "The JPEG cannot be read" : "The picture cannot be encoded as JPEG"
    let reason = sentence(of: message)
    let sentence = reason.isEmpty ? "\(what)." : "\(what): \(reason)."
    switch status {
    case CK_JPEG_UNSUPPORTED: return ImagingError(.unsupported, sentence)
    case CK_JPEG_TOO_LARGE, CK_JPEG_TOO_MANY_SCANS: return ImagingError(.tooLarge, sentence)
    case CK_JPEG_NO_MEMORY:
      return ImagingError(.tooLarge, "\(what): there is no memory for it.")
    default:
      return ImagingError(
        .corrupt, reason.isEmpty ? "The JPEG is damaged." : "The JPEG is damaged: \(reason).")
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

extension ck_jpeg_limits {
  /// What is left for libjpeg once the pixels have their memory.
  init(_ limits: Image.Limits, pixelByteCount: Int) throws(ImagingError) {
    self.init(
      scans: Int32(clamping: limits.scanCount),
      memory: try limits.memory(besidePixels: pixelByteCount))
  }
}
