#if HEIF
  import Foundation

  /// The first picture of a HEIF file whose headers have been read.
  ///
  /// Turns, mirrors and cuts that the file asks for are part of decoding: rows are stored as they
  /// are shown, whatever EXIF says besides (ISO/IEC 23008-12, 6.5.10).
  struct HEIFPicture: EncodedPicture {
    private let header: LibHEIFBridge.Header

    /// Reads the headers.
    init(readingHeadersOf bytes: RawSpan) throws(ImagingError) {
      var header = try LibHEIFBridge.header(of: bytes)
      if let coded = HEIFCodedSizes.largest(in: bytes),
        coded.pixelCount > header.codedSize.pixelCount
      {
        header.codedSize = coded
      }
      self.header = header
    }

    var size: PixelSize { header.size }
    var isGrey: Bool { false }
    var hasAlpha: Bool { header.hasAlpha }

    func metadata(in bytes: RawSpan) -> ImageMetadata {
      guard let exif = header.exif else { return ImageMetadata() }
      var metadata = ImageMetadata(readingTIFF: exif.bytes)
      metadata.orientation = .up
      return metadata
    }

    func colorProfile(in bytes: RawSpan) -> ColorProfile? { header.colorProfile }

    var metadataByteCount: Int { header.metadataByteCount }

    /// None: who asks wants to change it, which is refused.
    func exif(in bytes: RawSpan) -> Range<Int>? { nil }

    func replacingExif(in data: Data, with tiff: [UInt8]) throws(ImagingError) -> Data {
      throw Self.refusal
    }

    func removingPosition(
      from data: Data, limits: Image.Limits
    ) throws(ImagingError) -> Data { throw Self.refusal }

    func strippingLocation(
      from data: Data, limits: Image.Limits
    ) throws(ImagingError) -> Data { throw Self.refusal }

    func strippingMetadata(
      from data: Data, keeping orientation: ImageOrientation
    ) throws(ImagingError) -> Data { throw Self.refusal }

    /// Boxes refer to places in the file: none can grow or shrink by itself.
    private static var refusal: ImagingError {
      ImagingError(
        .unsupported,
        "What a HEIC or AVIF file says cannot be changed in it: encode its pixels anew, with "
          + "HEIFEncoder or Image.jpegData, and the metadata that they are to have.")
    }

    func pixels(of bytes: RawSpan, limits: Image.Limits) throws(ImagingError) -> PixelBuffer {
      // Cutting comes after decoding: what is decoded may be larger than what is shown.
      try limits.check(header.codedSize)
      let pixelByteCount = header.size.pixelCount.multipliedReportingOverflow(by: 4)
      let free = try limits.memory(
        besidePixels: pixelByteCount.overflow ? .max : pixelByteCount.partialValue)
      // The decoder's own samples, and the same as RGBA before they become BGRA.
      guard header.codedSize.pixelCount <= free / 8 else {
        throw ImagingError(
          .tooLarge, "Decoding \(header.codedSize) pixels takes more memory than is allowed.")
      }
      return try LibHEIFBridge.pixels(of: bytes, header.size)
    }

    func partialPixels(
      of bytes: RawSpan, limits: Image.Limits
    ) throws(ImagingError) -> Image.PartialPixels {
      // libheif hands out whole pictures only.
      Image.PartialPixels(
        pixels: try pixels(of: bytes, limits: limits), wholeRowCount: header.size.height)
    }
  }

#endif
