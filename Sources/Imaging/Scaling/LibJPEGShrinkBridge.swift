import CJPEG
import CScale
import Foundation

/// A JPEG picture that libjpeg reads piece by piece; the only place that hands pointers to its
/// shrinking.
///
/// For one thread at a time, and for one shrinking.
final class LibJPEGShrinkBridge {
  /// What the headers say.
  struct Facts {
    var size: PixelSize
    var isArithmetic: Bool
    var isGrey: Bool
    var orientation: ImageOrientation
    var colorProfile: ColorProfile?
  }

  private let reader: OpaquePointer
  let facts: Facts

  deinit { ck_jpeg_close(reader) }

  /// Reads a file's headers.
  ///
  /// - Parameters:
  ///   - descriptor: The file, at its beginning; open as long as the reader lives.
  ///   - byteCount: Its bytes.
  ///   - limits: What its metadata may ask for.
  /// - Throws: `.unreadable` with the kernel's error number, `.incomplete`, `.corrupt`,
  ///   `.tooLarge`.
  init(descriptor: Int32, byteCount: Int, limits: Image.Limits) throws(ImagingError) {
    var reader: OpaquePointer?
    var message = ck_jpeg_message()
    let status = ck_jpeg_open_file(
      descriptor, byteCount, max(0, limits.metadataByteCount), &reader, &message)
    guard status == CK_JPEG_OK, let reader else {
      defer { ck_jpeg_close(reader) }
      throw Self.error(status, message, reader, limits)
    }
    self.reader = reader
    facts = Self.facts(of: reader)
  }

  /// Shrinks, enlarges or cuts the picture that bytes hold.
  static func scaled(
    _ jpeg: RawSpan, _ placement: ScalePlacement, _ options: ScaleOptions, of size: PixelSize,
    limits: Image.Limits
  ) throws(ImagingError) -> (pixels: PixelBuffer, report: LibJPEGBridge.Report) {
    let target = try Target(placement.target)
    var native = ck_jpeg_shrinking(
      placement, options, try ck_jpeg_limits(limits, pixelByteCount: target.byteCount))
    var reader: OpaquePointer?
    defer { ck_jpeg_close(reader) }
    var message = ck_jpeg_message()
    var report = ck_jpeg_report()
    let status = jpeg.withUnsafeBytes { bytes -> ck_jpeg_status in
      guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else {
        return CK_JPEG_CORRUPT
      }
      let status = ck_jpeg_open_bytes(start, bytes.count, &reader, &message)
      guard status == CK_JPEG_OK, let reader else { return status }
      let facts = ck_jpeg_facts_of(reader)
      guard Int(facts.width) == size.width, Int(facts.height) == size.height else {
        return CK_JPEG_CORRUPT
      }
      return shrink(reader, &native, target, &report, &message)
    }
    guard status == CK_JPEG_OK else {
      throw LibJPEGBridge.error(status, message)
    }
    return (try target.pixels(), LibJPEGBridge.Report(report))
  }

  /// Shrinks, enlarges or cuts the picture.
  ///
  /// - Throws: `.corrupt`, `.incomplete`, `.unsupported`, `.tooLarge`, `.unreadable`.
  func scaled(
    _ placement: ScalePlacement, _ options: ScaleOptions, limits: Image.Limits
  ) throws(ImagingError) -> (pixels: PixelBuffer, report: LibJPEGBridge.Report) {
    let target = try Target(placement.target)
    var native = ck_jpeg_shrinking(
      placement, options,
      try ck_jpeg_limits(limits, pixelByteCount: target.byteCount))
    var message = ck_jpeg_message()
    var report = ck_jpeg_report()
    let status = Self.shrink(reader, &native, target, &report, &message)
    guard status == CK_JPEG_OK else {
      guard status == CK_JPEG_CORRUPT, report.end_missing != 0 else {
        throw Self.error(status, message, reader, limits)
      }
      throw ImagingError(.incomplete, "The JPEG's end is missing, and pixels with it.")
    }
    return (try target.pixels(), LibJPEGBridge.Report(report))
  }

  /// Memory for the result.
  private struct Target {
    let layout: PixelLayout
    let block: PooledBlock
    var byteCount: Int { layout.byteCount(ofBlock: 0) }

    init(_ size: PixelSize) throws(ImagingError) {
      guard let layout = PixelLayout(format: .bgra32, width: size.width, height: size.height)
      else { throw ImagingError(.tooLarge, "A picture of \(size) pixels cannot be made.") }
      self.layout = layout
      block = try PixelPool().block(byteCount: layout.byteCount(ofBlock: 0))
    }

    func pixels() throws(ImagingError) -> PixelBuffer {
      guard let pixels = PixelBuffer(layout: layout, color: .jpeg, blocks: [block.bytes]) else {
        throw ImagingError(.tooLarge, "There is no memory for the picture.")
      }
      return pixels
    }
  }

  private static func shrink(
    _ reader: OpaquePointer, _ native: inout ck_jpeg_shrinking, _ target: Target,
    _ report: inout ck_jpeg_report, _ message: inout ck_jpeg_message
  ) -> ck_jpeg_status {
    guard let pixels = target.block.memory.assumingMemoryBound(to: UInt8.self).baseAddress else {
      return CK_JPEG_NO_MEMORY
    }
    return ck_jpeg_shrink(
      reader, &native, pixels, target.layout.planes[0].bytesPerRow, &report, &message)
  }
}

// MARK: - What C says

extension LibJPEGShrinkBridge {
  private static func facts(of reader: OpaquePointer) -> Facts {
    let native = ck_jpeg_facts_of(reader)
    let exif = UnsafeRawBufferPointer(start: native.exif, count: native.exif_size)
    // As whoever reads the whole file: one reader, one answer.
    let orientation = ImageMetadata(readingTIFF: RawSpan(_unsafeBytes: exif)).orientation
    let profile = native.profile.map { Data(bytes: $0, count: native.profile_size) }
    return Facts(
      size: PixelSize(width: Int(native.width), height: Int(native.height)),
      isArithmetic: native.is_arithmetic != 0, isGrey: native.is_grey != 0,
      orientation: orientation, colorProfile: profile.flatMap(ColorProfile.init))
  }

  private static func error(
    _ status: ck_jpeg_status, _ message: ck_jpeg_message, _ reader: OpaquePointer?,
    _ limits: Image.Limits
  ) -> ImagingError {
    switch status {
    case CK_JPEG_UNREADABLE:
      let number = ck_jpeg_error_number(reader)
      return ImagingError(
        .unreadable, "The file cannot be read: \(String(cString: strerror(number))).",
        errno: number)
    case CK_JPEG_INCOMPLETE:
      return ImagingError(.incomplete, "The JPEG stops within its headers.")
    case CK_JPEG_TOO_MUCH_METADATA:
      return .tooMuchMetadata("more than \(limits.metadataByteCount)", limits)
    default: return LibJPEGBridge.error(status, message)
    }
  }
}

extension ck_jpeg_shrinking {
  fileprivate init(
    _ placement: ScalePlacement, _ options: ScaleOptions, _ limits: ck_jpeg_limits
  ) {
    self.init(
      wish: ck_scale_wish(placement, options), least_block_ratio: options.leastBlockRatio,
      least_eighths: Int32(options.leastEighths), limits: limits)
  }
}
