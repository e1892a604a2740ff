/// A JPEG file whose headers have been read.
struct JPEGPicture: EncodedPicture {
  /// Where the headers lie; the scans have not been walked.
  let structure: JPEGStructure

  var size: PixelSize { structure.size }
  var isGrey: Bool { structure.components.count == 1 }
  var hasAlpha: Bool { false }

  func metadata(in bytes: RawSpan) -> ImageMetadata { ImageMetadata(structure, in: bytes) }

  func colorProfile(in bytes: RawSpan) -> ColorProfile? { structure.colorProfile(in: bytes) }

  var metadataByteCount: Int { structure.metadataByteCount }

  func pixels(of bytes: RawSpan, limits: Image.Limits) throws(ImagingError) -> PixelBuffer {
    try JPEGDecoder.pixels(of: bytes, JPEGStructure(walking: bytes), limits: limits)
  }

  func partialPixels(
    of bytes: RawSpan, limits: Image.Limits
  ) throws(ImagingError) -> Image.PartialPixels {
    try JPEGDecoder.partialPixels(of: bytes, JPEGStructure(walking: bytes), limits: limits)
  }
}
