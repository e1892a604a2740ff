extension PixelBuffer {
  /// Decodes a JPEG picture to BGRA, as stored.
  ///
  /// - Parameters:
  ///   - bytes: The picture's file bytes, as cameras send them.
  ///   - limits: What it may ask for.
  ///   - pool: Where the pixels' memory comes from.
  /// - Throws: `.corrupt` and `.incomplete` for damage, also where a decoder could guess;
  ///   `.tooLarge`, `.unsupported`.
  package init(
    decoding bytes: RawSpan, limits: Image.Limits, from pool: PixelPool
  ) throws(ImagingError) {
    let structure = try JPEGStructure(walking: bytes)
    self = try JPEGDecoder.pixels(of: bytes, structure, limits: limits, from: pool)
  }

  /// Decodes a JPEG picture to BGRA no more finely than it is needed.
  ///
  /// - Parameters:
  ///   - bytes: The picture's file bytes, as cameras send them.
  ///   - detail: Says how finely, of the picture's size.
  ///   - limits: What it may ask for.
  ///   - pool: Where the pixels' memory comes from.
  /// - Returns: All of the picture, in fewer pixels, and the size that it has in all of them.
  /// - Throws: As `init(decoding:limits:from:)`.
  package static func decoding(
    _ bytes: RawSpan, _ detail: (PixelSize) -> JPEGDetail, limits: Image.Limits,
    from pool: PixelPool
  ) throws(ImagingError) -> (pixels: PixelBuffer, size: PixelSize) {
    let structure = try JPEGStructure(walking: bytes)
    let pixels = try JPEGDecoder.pixels(
      of: bytes, structure, detail(structure.size), limits: limits, from: pool)
    return (pixels, structure.size)
  }
}
