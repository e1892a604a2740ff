/// A PNG file whose chunks have been found.
struct PNGPicture: EncodedPicture {
  let structure: PNGStructure

  var size: PixelSize { structure.size }
  var isGrey: Bool { structure.isGrey }
  var hasAlpha: Bool { structure.hasAlpha }

  func metadata(in bytes: RawSpan) -> ImageMetadata {
    guard let chunk = structure.first(PNGStructure.ChunkType.exif) else { return ImageMetadata() }
    return ImageMetadata(readingTIFF: bytes.extracting(chunk.content))
  }

  func colorProfile(in bytes: RawSpan) -> ColorProfile? { structure.colorProfile(in: bytes) }

  var metadataByteCount: Int { structure.metadataByteCount }

  func pixels(of bytes: RawSpan, limits: Image.Limits) throws(ImagingError) -> PixelBuffer {
    try PNGDecoder.pixels(of: bytes, structure, limits: limits)
  }

  func partialPixels(
    of bytes: RawSpan, limits: Image.Limits
  ) throws(ImagingError) -> Image.PartialPixels {
    try PNGDecoder.partialPixels(of: bytes, structure, limits: limits)
  }
}
