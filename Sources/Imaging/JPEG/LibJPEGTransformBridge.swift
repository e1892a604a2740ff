import CJPEG
import Foundation

/// Hands pointers to libjpeg where blocks of samples are moved.
enum LibJPEGTransformBridge {
  /// Changes a JPEG picture without decoding its samples.
  ///
  /// - Parameters:
  ///   - jpeg: A whole picture.
  ///   - edit: A part of it, and how it is turned.
  ///   - limits: What the work may cost.
  /// - Returns: The picture without what it said of itself; nil where blocks do not allow the
  ///   change.
  /// - Throws: `.corrupt`, `.tooLarge`, `.unsupported`.
  static func transform(
    _ jpeg: RawSpan, _ edit: PixelEdit, limits: Image.Limits
  ) throws(ImagingError) -> Data? {
    var native = ck_jpeg_change(
      x: Int32(clamping: edit.rect.x), y: Int32(clamping: edit.rect.y),
      width: Int32(clamping: edit.rect.width), height: Int32(clamping: edit.rect.height),
      transposes: edit.turn.transposes ? 1 : 0, reverses_x: edit.turn.reversesX ? 1 : 0,
      reverses_y: edit.turn.reversesY ? 1 : 0)
    var limits = try ck_jpeg_limits(limits, pixelByteCount: 0)
    var report = ck_jpeg_report()
    var message = ck_jpeg_message()
    var bytes: UnsafeMutablePointer<UInt8>?
    var byteCount = 0
    let status = jpeg.withUnsafeBytes { source in
      guard let start = source.assumingMemoryBound(to: UInt8.self).baseAddress else {
        return CK_JPEG_CORRUPT
      }
      return ck_jpeg_transform(
        start, source.count, &native, &limits, &bytes, &byteCount, &report, &message)
    }
    if status == CK_JPEG_NOT_ALIGNED { return nil }
    guard status == CK_JPEG_OK, let bytes else {
      throw LibJPEGBridge.error(status, message)
    }
    return Data(bytesNoCopy: bytes, count: byteCount, deallocator: .free)
  }
}
