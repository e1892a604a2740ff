/// What kind of picture bytes are, told by how they begin.
enum ImageKind: String {
  case jpeg = "JPEG"
  case png = "PNG"
  case gif = "GIF"
  case webp = "WebP"
  case tiff = "TIFF"
  case heic = "HEIC"
  case avif = "AVIF"
  case bmp = "BMP"

  /// Looks at the first bytes; nil where they begin like no picture.
  init?(of bytes: RawSpan) {
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
    } else if bytes.holds("ftyp", at: 4), let kind = Self(brandsOf: bytes) {
      self = kind
    } else if bytes.holds("BM", at: 0), bytes.holds("\0\0\0\0", at: 6) {
      self = .bmp
    } else {
      return nil
    }
  }

  /// An ISO base media file says by its brands what it is (ISO/IEC 23008-12).
  private init?(brandsOf bytes: RawSpan) {
    if bytes.holds("avi", at: 8) {
      self = .avif
      return
    }
    for brand: StaticString in ["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1"]
    where bytes.holds(brand, at: 8) {
      self = .heic
      return
    }
    return nil
  }
}
