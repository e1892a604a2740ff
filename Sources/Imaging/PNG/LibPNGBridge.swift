import CPNG
import Foundation

/// The only place that hands pointers to libpng.
enum LibPNGBridge {
  /// Decodes to BGRA rows without a gap.
  ///
  /// - Parameters:
  ///   - png: A whole picture.
  ///   - size: What its header says.
  ///   - gamma: What its samples are to be converted to sRGB from; nil where they stay as they are.
  ///   - memoryLimit: Bytes that libpng may take beside the pixels.
  ///   - allowsDamage: Whether rows that are missing become mid grey instead of an error.
  ///   - pool: Where the pixels' memory comes from.
  /// - Returns: The pixels, and how many rows from the top are known to be right.
  /// - Throws: `.corrupt` for damage, `.tooLarge` above the limits.
  static func decode(
    _ png: RawSpan, size: PixelSize, gamma: Double?, memoryLimit: Int,
    allowsDamage: Bool, from pool: PixelPool
  ) throws(ImagingError) -> (pixels: PixelBuffer, wholeRowCount: Int) {
    guard let layout = PixelLayout(format: .bgra, width: size.width, height: size.height) else {
      throw ImagingError(.tooLarge, "A PNG of \(size) pixels cannot be read.")
    }
    let block = try pool.block(byteCount: layout.byteCount(ofBlock: 0))
    var options = ck_png_decode_options(
      width: Int32(clamping: size.width), height: Int32(clamping: size.height),
      gamma: gamma ?? 0, memory_limit: memoryLimit, allows_damage: allowsDamage ? 1 : 0)
    var rows: Int32 = 0
    var message = ck_png_message()
    let status = png.withUnsafeBytes { bytes in
      guard let bytes = bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
        let pixels = block.memory.assumingMemoryBound(to: UInt8.self).baseAddress
      else { return CK_PNG_CORRUPT }
      return ck_png_decode(
        bytes, png.byteCount, &options, pixels, layout.planes[0].bytesPerRow, &rows, &message)
    }
    guard status == CK_PNG_OK,
      let pixels = PixelBuffer(layout: layout, color: .jpeg, blocks: [block.bytes])
    else { throw error(status, message) }
    return (pixels, Int(rows))
  }

  /// Compresses a picture to the chunks that it must have, losing nothing.
  ///
  /// - Parameters:
  ///   - pixels: Grey, RGB, BGR or BGRA.
  ///   - isGrey: Whether BGRA pixels have three equal colours, as a grey picture's have.
  /// - Returns: A PNG file.
  /// - Throws: `.unsupported` for other samples, `.tooLarge` where there is no memory.
  static func encode(
    _ pixels: PixelBuffer, isGrey: Bool = false
  ) throws(ImagingError) -> Data {
    guard let samples = samples(of: pixels, isGrey: isGrey) else {
      throw ImagingError(.unsupported, "No PNG can be made of \(pixels.format) samples.")
    }
    var bytes: UnsafeMutablePointer<UInt8>?
    var byteCount = 0
    var message = ck_png_message()
    let status = pixels.withUnsafePlanes { planes in
      let (start, stride) = pixels.place(0, in: planes)
      guard let start else { return CK_PNG_CORRUPT }
      var picture = ck_png_picture(
        samples: samples, width: Int32(clamping: pixels.width),
        height: Int32(clamping: pixels.height), pixels: start, stride: stride)
      return ck_png_encode(&picture, &bytes, &byteCount, &message)
    }
    guard status == CK_PNG_OK, let bytes else {
      throw error(status, message, isReading: false)
    }
    return Data(bytesNoCopy: bytes, count: byteCount, deallocator: .free)
  }

  static func canEncode(_ format: PixelFormat) -> Bool {
    [.grey, .rgb24, .bgr24, .bgra].contains(format)
  }

  /// BGRA as it is seen on white, alpha 255.
  static func flattened(_ pixels: PixelBuffer) throws(ImagingError) -> PixelBuffer {
    guard pixels.format == .bgra,
      let layout = PixelLayout(format: .bgra, width: pixels.width, height: pixels.height)
    else { return pixels }
    let block = try PixelPool().block(byteCount: layout.byteCount(ofBlock: 0))
    pixels.withUnsafePlanes { planes in
      let (start, stride) = pixels.place(0, in: planes)
      guard let start, let target = block.memory.assumingMemoryBound(to: UInt8.self).baseAddress
      else { return }
      ck_png_flatten(
        start, Int32(clamping: pixels.width), Int32(clamping: pixels.height), stride, target,
        layout.planes[0].bytesPerRow)
    }
    return PixelBuffer(layout: layout, color: pixels.color, blocks: [block.bytes]) ?? pixels
  }

  /// Whether pixels of BGRA are transparent. Where all are, alpha means nothing.
  static func hasAlpha(_ pixels: PixelBuffer) -> Bool { answer(ck_png_has_alpha, for: pixels) }

  /// Whether pixels of BGRA have no colours.
  static func isGrey(_ pixels: PixelBuffer) -> Bool { answer(ck_png_is_grey, for: pixels) }

  private static func answer(
    _ question: (UnsafePointer<UInt8>, Int32, Int32, Int) -> Int32, for pixels: PixelBuffer
  ) -> Bool {
    guard pixels.format == .bgra else { return false }
    return pixels.withUnsafePlanes { planes in
      let (start, stride) = pixels.place(0, in: planes)
      guard let start else { return false }
      let (width, height) = (Int32(clamping: pixels.width), Int32(clamping: pixels.height))
      return question(start, width, height, stride) != 0
    }
  }

  private static func samples(of pixels: PixelBuffer, isGrey: Bool) -> ck_png_samples? {
    switch pixels.format {
    case .grey: CK_PNG_GREY
    case .rgb24: CK_PNG_RGB
    case .bgr24: CK_PNG_BGR
    case .bgra where hasAlpha(pixels): isGrey ? CK_PNG_GREY_ALPHA_OF_BGRA : CK_PNG_BGRA
    case .bgra: isGrey ? CK_PNG_GREY_OF_BGRX : CK_PNG_BGRX
    default: nil
    }
  }

  private static func error(
    _ status: ck_png_status, _ message: ck_png_message, isReading: Bool = true
  ) -> ImagingError {
    let what = isReading ? "The PNG cannot be read" : "The picture cannot be encoded as PNG"
    switch status {
    case CK_PNG_TOO_LARGE:
      return ImagingError(.tooLarge, "\(what): it takes more memory than is allowed.")
    case CK_PNG_NO_MEMORY: return ImagingError(.tooLarge, "\(what): there is no memory for it.")
    default:
      let reason = withUnsafeBytes(of: message.text) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      return ImagingError(.corrupt, "The PNG is damaged: \(reason).")
    }
  }
}

// MARK: - Chunks

extension LibPNGBridge {
  /// The checksum that ends a chunk, over its type and its content.
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { ck_png_checksum($0, bytes.count) } ?? 0
    }
  }

  /// What zlib has compressed; nil where it is damaged or would be longer than the limit.
  static func inflated(_ bytes: RawSpan, limit: Int) -> Data? {
    collected { result, count in
      bytes.withUnsafeBytes { bytes in
        bytes.assumingMemoryBound(to: UInt8.self).baseAddress.map {
          ck_png_inflate($0, bytes.count, min(limit, Int(Int32.max)), result, count)
        } ?? CK_PNG_CORRUPT
      }
    }
  }

  /// How many bytes zlib has compressed, or those before damage; more than the limit where it is
  /// passed, without going on.
  static func inflatedByteCount(_ bytes: RawSpan, limit: Int) -> Int {
    bytes.withUnsafeBytes { bytes in
      bytes.assumingMemoryBound(to: UInt8.self).baseAddress.map {
        Int(clamping: ck_png_inflated_count($0, bytes.count, max(0, limit)))
      } ?? 0
    }
  }

  /// The same bytes in zlib's format; nil where there is no memory for them.
  static func deflated(_ bytes: Data) -> Data? {
    collected { result, count in
      bytes.bytes.withUnsafeBytes { bytes in
        bytes.assumingMemoryBound(to: UInt8.self).baseAddress.map {
          ck_png_deflate($0, bytes.count, result, count)
        } ?? CK_PNG_CORRUPT
      }
    }
  }

  private static func collected(
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>)
      -> ck_png_status
  ) -> Data? {
    var result: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard body(&result, &count) == CK_PNG_OK, let result else { return nil }
    return Data(bytesNoCopy: result, count: count, deallocator: .free)
  }
}
