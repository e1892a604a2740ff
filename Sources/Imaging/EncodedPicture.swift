import Foundation

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

  /// Where the EXIF data lies, a TIFF structure.
  func exif(in bytes: RawSpan) -> Range<Int>?
  /// The file with another TIFF structure, nothing else changed; empty for none.
  func replacingExif(in data: Data, with tiff: [UInt8]) throws(ImagingError) -> Data
  /// The file without what its XMP says of where the camera was, in numbers.
  func removingPosition(from data: Data, limits: Image.Limits) throws(ImagingError) -> Data
  /// The file without anything that says where the camera was.
  func strippingLocation(from data: Data, limits: Image.Limits) throws(ImagingError) -> Data
  /// The file without anything that its pixels can be shown without, but for an orientation.
  func strippingMetadata(
    from data: Data, keeping orientation: ImageOrientation
  ) throws(ImagingError) -> Data

  /// Decodes to BGRA, as stored; an error for the slightest damage.
  func pixels(of bytes: RawSpan, limits: Image.Limits) throws(ImagingError) -> PixelBuffer
  /// Decodes what there is of a damaged picture.
  func partialPixels(
    of bytes: RawSpan, limits: Image.Limits
  ) throws(ImagingError) -> Image.PartialPixels
}

// MARK: - Changing

extension EncodedPicture {
  /// The picture's TIFF structure; nil where it has none, or none that can be read.
  func exifBlock(in bytes: RawSpan) -> ExifBlock? {
    exif(in: bytes).flatMap { ExifBlock(bytes.extracting($0)) }
  }
}

extension ImageFormat {
  /// Reads the headers of a picture file: the one place that knows what kinds can be read.
  static func picture(
    in bytes: RawSpan
  ) throws(ImagingError) -> (format: ImageFormat, picture: any EncodedPicture) {
    guard !bytes.isEmpty else {
      throw ImagingError(.corrupt, "There are no bytes, and so no picture.")
    }
    // Cameras send bytes before a JPEG's start: what is nothing else may be one.
    let format = ImageFormat(recognizing: bytes) ?? .jpeg
    switch format {
    case .jpeg: return (format, JPEGPicture(structure: try JPEGStructure(headersOf: bytes)))
    case .png: return (format, PNGPicture(structure: try PNGStructure(walking: bytes)))
    case .heic, .avif: return (format, try HEIFFiles.picture(in: bytes, format))
    default: throw ImagingError(.unsupported, "\(format) pictures cannot be read.")
    }
  }
}
