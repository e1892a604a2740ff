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
}
