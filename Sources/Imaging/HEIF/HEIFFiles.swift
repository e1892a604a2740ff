import Foundation

/// What this build can do with HEIF files: reading and writing them needs the package trait `HEIF`.
enum HEIFFiles {
  #if HEIF
    static let isBuiltIn = true
  #else
    static let isBuiltIn = false
  #endif

  /// Why a file is not read, or written, by a build without the trait.
  static func refusal(_ format: ImageFormat, _ what: String) -> ImagingError {
    ImagingError(
      .unsupported,
      "\(format) pictures cannot be \(what): the package was built without its trait HEIF.")
  }

  /// Reads the headers of a HEIC or AVIF file.
  static func picture(
    in bytes: RawSpan, _ format: ImageFormat
  ) throws(ImagingError) -> any EncodedPicture {
    #if HEIF
      return try HEIFPicture(readingHeadersOf: bytes)
    #else
      throw refusal(format, "read")
    #endif
  }
}
