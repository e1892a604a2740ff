/// Decodes stored JPEG pictures: all of it is sound, or it is an error, unless a part will do.
enum JPEGDecoder {
  /// Decodes to BGRA, as stored.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that `structure` was read from.
  ///   - structure: Where the picture's parts lie.
  ///   - detail: How finely.
  ///   - limits: What the picture may ask for.
  ///   - pool: Where the pixels' memory comes from.
  /// - Returns: The pixels.
  /// - Throws: `.unsupported` for kinds that libjpeg does not read, `.tooLarge` above a limit,
  ///   `.corrupt` and `.incomplete` for damage, also where libjpeg only warns and guesses.
  static func pixels(
    of bytes: RawSpan, _ structure: JPEGStructure, _ detail: JPEGDetail = .full,
    limits: Image.Limits = .standard, from pool: PixelPool = PixelPool()
  ) throws(ImagingError) -> PixelBuffer {
    try check(structure, byteCount: bytes.byteCount, limits)
    // Whatever libjpeg stumbles over in bytes that stop too early, that they stop is the reason.
    let incomplete = ImagingError(.incomplete, "The JPEG's end is missing, and pixels with it.")
    do throws(ImagingError) {
      let (pixels, report) = try decode(
        bytes, structure, detail, limits, allowsDamage: false, from: pool)
      guard !report.isDamaged else {
        throw report.isEndMissing
          ? incomplete
          : ImagingError(.corrupt, "The JPEG is damaged: some of its pixels make no sense.")
      }
      return pixels
    } catch {
      throw error.code == .corrupt && structure.end == nil ? incomplete : error
    }
  }

  /// Decodes what there is of a damaged picture.
  ///
  /// - Throws: As `pixels(of:_:limits:from:)`, but for damage behind the headers.
  static func partialPixels(
    of bytes: RawSpan, _ structure: JPEGStructure, limits: Image.Limits
  ) throws(ImagingError) -> Image.PartialPixels {
    try check(structure, byteCount: bytes.byteCount, limits)
    let (pixels, report) = try decode(
      bytes, structure, .full, limits, allowsDamage: true, from: PixelPool())
    let isWhole = (try? self.pixels(of: bytes, structure, limits: limits)) != nil
    // Damage that shows only behind the last row may lie anywhere.
    let knownRowCount = report.wholeRowCount < structure.height ? report.wholeRowCount : 0
    return Image.PartialPixels(
      pixels: pixels, wholeRowCount: isWhole ? structure.height : knownRowCount)
  }

  static func check(
    _ structure: JPEGStructure, byteCount: Int, _ limits: Image.Limits
  ) throws(ImagingError) {
    guard structure.bitsPerSample == 8, structure.frameMarker & 3 != 3 else {
      let kind = structure.bitsPerSample == 8 ? "lossless" : "\(structure.bitsPerSample)-bit"
      throw ImagingError(.unsupported, "A \(kind) JPEG cannot be read.")
    }
    try limits.check(structure.size)
    try check(
      structure.size, byteCount: byteCount, isArithmetic: structure.frameMarker > 0xC8)
    guard structure.scanCount <= limits.scanCount else {
      throw ImagingError(
        .tooLarge, "The JPEG has \(structure.scanCount) scans; \(limits.scanCount) are allowed.")
    }
  }

  /// Refuses a short file that declares a huge picture before memory is taken for it.
  ///
  /// A block of 8 × 8 samples takes a bit at least, and 4 × 4 of them may share one. Arithmetic
  /// coding knows no such bound: a few hundred bytes may well be twelve megapixels of one colour.
  static func check(
    _ size: PixelSize, byteCount: Int, isArithmetic: Bool
  ) throws(ImagingError) {
    guard isArithmetic || size.pixelCount / (8 * 64 * 16) <= byteCount else {
      throw ImagingError(.incomplete, "The JPEG has too few bytes for \(size) pixels.")
    }
  }

  private static func decode(
    _ bytes: RawSpan, _ structure: JPEGStructure, _ detail: JPEGDetail, _ limits: Image.Limits,
    allowsDamage: Bool, from pool: PixelPool
  ) throws(ImagingError) -> (PixelBuffer, LibJPEGBridge.Report) {
    let size = structure.size
    let picture = bytes.extracting(structure.start..<(structure.end ?? bytes.byteCount))
    let (decoded, report) = try LibJPEGBridge.decode(
      picture, size, detail, limits: limits, allowsDamage: allowsDamage, from: pool)
    let left = detail.size(of: size)
    guard let layout = PixelLayout(format: .bgra32, width: left.width, height: left.height),
      let pixels = PixelBuffer(layout: layout, color: .jpeg, blocks: [decoded])
    else { throw ImagingError(.tooLarge, "A JPEG of \(size) pixels cannot be read.") }
    return (pixels, report)
  }
}
