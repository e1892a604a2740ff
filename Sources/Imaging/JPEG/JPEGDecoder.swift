/// Decodes stored JPEG pictures: all of it is sound, or it is an error.
enum JPEGDecoder {
  /// Decodes to BGRA, as stored.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that `structure` was read from.
  ///   - structure: Where the picture's parts lie.
  ///   - pool: Where the pixels' memory comes from.
  /// - Returns: The pixels.
  /// - Throws: `.unsupported` for kinds that libjpeg does not read, `.corrupt` and `.incomplete` for
  ///   damage, also where libjpeg only warns and guesses.
  static func pixels(
    of bytes: RawSpan, _ structure: JPEGStructure, from pool: PixelPool = PixelPool()
  ) throws(ImagingError) -> PixelBuffer {
    guard structure.bitsPerSample == 8, structure.frameMarker & 3 != 3 else {
      let kind = structure.bitsPerSample == 8 ? "lossless" : "\(structure.bitsPerSample)-bit"
      throw ImagingError(.unsupported, "A \(kind) JPEG cannot be read.")
    }
    // A block of 8 × 8 samples takes a bit at least, and 4 × 4 of them may share one: a short file that declares
    // a huge picture is refused before memory is taken for it.
    let pixelCount = structure.width * structure.height
    guard pixelCount / (8 * 64 * 16) <= bytes.byteCount else {
      throw ImagingError(.incomplete, "The JPEG has too few bytes for \(structure.size) pixels.")
    }
    let decoded = try decode(bytes, structure, from: pool)
    let size = structure.size
    guard let layout = PixelLayout(format: .bgra32, width: size.width, height: size.height),
      let pixels = PixelBuffer(layout: layout, color: .jpeg, blocks: [decoded])
    else { throw ImagingError(.tooLarge, "A JPEG of \(size) pixels cannot be read.") }
    return pixels
  }

  private static func decode(
    _ bytes: RawSpan, _ structure: JPEGStructure, from pool: PixelPool
  ) throws(ImagingError) -> SharedBytes {
    // Whatever libjpeg stumbles over in bytes that stop too early, that they stop is the reason.
    let incomplete = ImagingError(.incomplete, "The JPEG's end is missing, and pixels with it.")
    do throws(ImagingError) {
      let picture = bytes.extracting(structure.start..<(structure.end ?? bytes.byteCount))
      let decoded = try LibJPEGBridge.decode(
        picture, width: structure.width, height: structure.height, from: pool)
      guard !decoded.report.isDamaged else {
        throw decoded.report.isEndMissing
          ? incomplete
          : ImagingError(.corrupt, "The JPEG is damaged: some of its pixels make no sense.")
      }
      return decoded.pixels
    } catch {
      throw error.code == .corrupt && structure.end == nil ? incomplete : error
    }
  }
}
