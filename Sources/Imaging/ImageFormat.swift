/// A kind of picture files, told by how their bytes begin, never by a file's name.
public struct ImageFormat: Hashable, Sendable {
  /// The usual name, `"JPEG"`.
  public let name: String
  /// The media type (RFC 6838), `"image/jpeg"`.
  public let mediaType: String
  /// What names of such files end in, without the dot, `"jpg"`.
  public let fileExtension: String

  private init(_ name: String, _ mediaType: String, _ fileExtension: String) {
    self.name = name
    self.mediaType = mediaType
    self.fileExtension = fileExtension
  }

  /// JPEG (ITU-T T.81).
  public static let jpeg = ImageFormat("JPEG", "image/jpeg", "jpg")
  /// PNG (ISO/IEC 15948), animated ones too.
  public static let png = ImageFormat("PNG", "image/png", "png")
  /// GIF.
  public static let gif = ImageFormat("GIF", "image/gif", "gif")
  /// WebP.
  public static let webp = ImageFormat("WebP", "image/webp", "webp")
  /// TIFF, and the raw formats of cameras that begin like it.
  public static let tiff = ImageFormat("TIFF", "image/tiff", "tiff")
  /// HEIC, and other HEIF files that are not AVIF.
  public static let heic = ImageFormat("HEIC", "image/heic", "heic")
  /// AVIF.
  public static let avif = ImageFormat("AVIF", "image/avif", "avif")
  /// Windows' bitmaps.
  public static let bmp = ImageFormat("BMP", "image/bmp", "bmp")
  /// JPEG XL.
  public static let jpegXL = ImageFormat("JPEG XL", "image/jxl", "jxl")
}

// MARK: - Recognition

extension ImageFormat {
  /// Looks at the first bytes; nil where they begin like no picture that this library knows.
  ///
  /// - Parameter bytes: A file's beginning, 32 bytes or more.
  public init?(recognizing bytes: RawSpan) {
    if bytes.byte(at: 0) == 0xFF, bytes.byte(at: 1) == 0xD8 {
      self = .jpeg
    } else if bytes.byte(at: 0) == 0x89, bytes.holds("PNG\r\n", at: 1) {
      self = .png
    } else if bytes.holds("GIF87a", at: 0) || bytes.holds("GIF89a", at: 0) {
      self = .gif
    } else if bytes.holds("RIFF", at: 0), bytes.holds("WEBP", at: 8) {
      self = .webp
    } else if bytes.holds("II*\0", at: 0) || bytes.holds("MM\0*", at: 0) {
      self = .tiff
    } else if bytes.holds("ftyp", at: 4), let format = Self(brandsOf: bytes) {
      self = format
    } else if bytes.holds("BM", at: 0), bytes.holds("\0\0\0\0", at: 6) {
      self = .bmp
    } else if bytes.holds("\0\0\0\u{0C}JXL \r\n", at: 0)
      || bytes.byte(at: 0) == 0xFF && bytes.byte(at: 1) == 0x0A
    {
      self = .jpegXL
    } else {
      return nil
    }
  }

  /// An ISO base media file says by its brands what it is (ISO/IEC 23008-12): the major one first,
  /// then, where that is a general one, those that it is compatible with.
  private init?(brandsOf bytes: RawSpan) {
    let length = min(bytes.bigEndian32(at: 0) ?? 0, 256)
    var isHEIF = false
    // The four bytes after the major brand are its version.
    for place in [8] + Array(stride(from: 16, to: max(16, length - 3), by: 4)) {
      if bytes.holds("avif", at: place) || bytes.holds("avis", at: place) {
        self = .avif
        return
      }
      for brand: StaticString in ["heic", "heix", "hevc", "heim", "heis"]
      where bytes.holds(brand, at: place) {
        self = .heic
        return
      }
      if bytes.holds("mif1", at: place) || bytes.holds("msf1", at: place) { isHEIF = true }
    }
    guard isHEIF else { return nil }
    self = .heic
  }
}

// MARK: - CustomStringConvertible

extension ImageFormat: CustomStringConvertible {
  /// The usual name.
  public var description: String { name }
}
