/// Decodes stored PNG pictures: all of it is sound, or it is an error.
enum PNGDecoder {
  /// Decodes to BGRA, as stored; colours are not multiplied with alpha.
  ///
  /// Samples of 16 bits are rounded to 8. Where a picture names a gamma other than that of sRGB,
  /// and neither says that it is sRGB nor has a colour profile, its samples become sRGB's. An
  /// animation shows its first picture.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that `structure` was read from.
  ///   - structure: Where the picture's parts lie.
  ///   - limits: What the picture may ask for.
  ///   - pool: Where the pixels' memory comes from.
  /// - Returns: The pixels.
  /// - Throws: `.corrupt` and `.incomplete` for damage, `.tooLarge` above the limits.
  static func pixels(
    of bytes: RawSpan, _ structure: PNGStructure, limits: Image.Limits = .standard,
    from pool: PixelPool = PixelPool()
  ) throws(ImagingError) -> PixelBuffer {
    let memory = try check(structure, limits)
    guard let end = structure.end else { throw incomplete }
    return try LibPNGBridge.decode(
      bytes.extracting(0..<end), size: structure.size, gamma: structure.unusualGamma(in: bytes),
      memoryLimit: memory, allowsDamage: false, from: pool
    ).pixels
  }

  /// Decodes what there is of a damaged picture; rows that are not there are mid grey.
  ///
  /// Of damage other than a missing end nobody can tell where it begins: no row is called whole
  /// then.
  static func partialPixels(
    of bytes: RawSpan, _ structure: PNGStructure, limits: Image.Limits
  ) throws(ImagingError) -> Image.PartialPixels {
    let memory = try check(structure, limits)
    let (pixels, rows) = try LibPNGBridge.decode(
      bytes, size: structure.size, gamma: structure.unusualGamma(in: bytes), memoryLimit: memory,
      allowsDamage: true, from: PixelPool())
    return Image.PartialPixels(pixels: pixels, wholeRowCount: rows)
  }

  private static let incomplete = ImagingError(
    .incomplete, "The PNG's end is missing, and pixels with it.")

  /// The memory that decoding may take beside the pixels.
  private static func check(
    _ structure: PNGStructure, _ limits: Image.Limits
  ) throws(ImagingError) -> Int {
    let size = structure.size
    try limits.check(size)
    guard size.width <= PixelLayout.maximumSide, size.height <= PixelLayout.maximumSide
    else { throw ImagingError(.tooLarge, "A PNG of \(size) pixels cannot be read.") }
    // zlib makes no more than 1032 bytes of one: a short file that declares more takes no memory.
    guard structure.dataByteCount * 1032 >= structure.filteredByteCount else {
      throw structure.end == nil
        ? incomplete : ImagingError(.corrupt, "The PNG has too few bytes for \(size) pixels.")
    }
    return try limits.memory(besidePixels: size.pixelCount * 4)
  }
}

extension PNGStructure {
  /// The exponent of a `gAMA` chunk that counts and that is visibly none of sRGB's; nil in nearly
  /// all pictures.
  fileprivate func unusualGamma(in bytes: RawSpan) -> Double? {
    guard first(ChunkType.sRGB) == nil, first(ChunkType.colorProfile) == nil,
      let chunk = first(ChunkType.gamma), chunk.content.count == 4,
      let value = bytes.bigEndian32(at: chunk.content.lowerBound)
    else { return nil }
    let gamma = Double(value) / 100_000
    let ofSRGB = 1 / 2.2
    // Beyond these no program writes one; libpng would refuse it.
    guard (0.05...20).contains(gamma), abs(gamma - ofSRGB) > 0.05 * ofSRGB else { return nil }
    return gamma
  }
}
