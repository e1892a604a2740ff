/// A picture file whose headers have been read; one conforming type a kind of files.
///
/// The bytes are not part of it: each call gets those that it was read from.
protocol EncodedPicture: Sendable {
  /// Columns and rows as stored.
  var size: PixelSize { get }
  /// Whether the picture has one colour only.
  var isGrey: Bool { get }
  /// Whether pixels may be transparent.
  var hasAlpha: Bool { get }

  /// What the picture says of itself; what cannot be read is left out.
  func metadata(in bytes: RawSpan) -> ImageMetadata
  /// How its colours are meant; nil where it does not say so.
  func colorProfile(in bytes: RawSpan) -> ColorProfile?
  /// Bytes of what the picture says of itself, as they lie in the file.
  var metadataByteCount: Int { get }

  /// Decodes to BGRA, as stored; an error for the slightest damage.
  func pixels(of bytes: RawSpan, limits: Image.Limits) throws(ImagingError) -> PixelBuffer
  /// Decodes what there is of a damaged picture.
  func partialPixels(
    of bytes: RawSpan, limits: Image.Limits
  ) throws(ImagingError) -> Image.PartialPixels
}

extension ImageFormat {
  /// Reads the headers of a picture file: the one place that knows what kinds can be read.
  static func picture(
    in bytes: RawSpan
  ) throws(ImagingError) -> (format: ImageFormat, picture: any EncodedPicture) {
    // Cameras send bytes before a JPEG's start: what is nothing else may be one.
    let format = ImageFormat(recognizing: bytes) ?? .jpeg
    switch format {
    case .jpeg: return (format, JPEGPicture(structure: try JPEGStructure(headersOf: bytes)))
    case .png: return (format, PNGPicture(structure: try PNGStructure(walking: bytes)))
    default: throw ImagingError(.unsupported, "\(format) pictures cannot be read.")
    }
  }
}
