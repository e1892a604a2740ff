extension PixelBuffer {
  /// Decodes a JPEG picture to BGRA, as stored.
  ///
  /// - Parameters:
  ///   - bytes: The picture's file bytes, as cameras send them.
  ///   - pixelLimit: The most pixels that it may have.
  ///   - pool: Where the pixels' memory comes from.
  /// - Throws: `.corrupt` and `.incomplete` for damage, also where a decoder could guess; `.tooLarge`,
  ///   `.unsupported`.
  package init(
    decoding bytes: RawSpan, pixelLimit: Int, from pool: PixelPool
  ) throws(ImagingError) {
    let structure = try JPEGStructure(walking: bytes)
    guard structure.width * structure.height <= pixelLimit else {
      throw ImagingError(
        .tooLarge, "The JPEG has \(structure.size) pixels, more than the camera's pictures have.")
    }
    self = try JPEGDecoder.pixels(of: bytes, structure, from: pool)
  }
}
