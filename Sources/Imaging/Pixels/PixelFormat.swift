/// How a picture's bytes are to be read, named by the kernel's four-character code.
///
/// The raw value is the code of `V4L2_PIX_FMT_…` in `linux/videodev2.h`: four ASCII
/// characters, the first in the lowest byte. Compressed formats are formats too, as they are
/// for the kernel.
public struct PixelFormat: RawRepresentable, Hashable, Sendable {
  /// The four-character code, first character in the lowest byte.
  public let rawValue: UInt32

  /// Takes any code, known to this library or not.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Reads a code as it is written, `"YUYV"`; nil unless it is one to four ASCII characters.
  ///
  /// Shorter codes are filled with blanks, as the kernel's are.
  public init?(fourCharacterCode text: String) {
    let bytes = Array(text.utf8)
    guard (1...4).contains(bytes.count), bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      return nil
    }
    self.init(
      rawValue: (0..<4).reduce(0) { code, index in
        code | UInt32(index < bytes.count ? bytes[index] : 0x20) << (8 * UInt32(index))
      })
  }

  private init(_ text: StaticString) {
    self.init(
      rawValue: text.withUTF8Buffer { bytes in
        (0..<4).reduce(0) { $0 | UInt32(bytes[$1]) << (8 * UInt32($1)) }
      })
  }
}

// MARK: - The formats that this library reads

extension PixelFormat {
  /// 4:2:2, one plane, `Y U Y V`: `V4L2_PIX_FMT_YUYV`.
  public static let yuyv = PixelFormat("YUYV")
  /// 4:2:2, one plane, `U Y V Y`: `V4L2_PIX_FMT_UYVY`.
  public static let uyvy = PixelFormat("UYVY")
  /// 4:2:0, luma plane, then a plane of `U V` pairs: `V4L2_PIX_FMT_NV12`.
  public static let nv12 = PixelFormat("NV12")
  /// As `nv12`, each plane in memory of its own: `V4L2_PIX_FMT_NV12M`.
  public static let nv12Multiplanar = PixelFormat("NM12")
  /// 4:2:0, three planes, Y, U, V: `V4L2_PIX_FMT_YUV420`.
  public static let yuv420 = PixelFormat("YU12")
  /// As `yuv420`, each plane in memory of its own: `V4L2_PIX_FMT_YUV420M`.
  public static let yuv420Multiplanar = PixelFormat("YM12")
  /// 8-bit luma alone: `V4L2_PIX_FMT_GREY`.
  public static let grey = PixelFormat("GREY")
  /// Three bytes a pixel, red first: `V4L2_PIX_FMT_RGB24`.
  public static let rgb24 = PixelFormat("RGB3")
  /// Three bytes a pixel, blue first: `V4L2_PIX_FMT_BGR24`.
  public static let bgr24 = PixelFormat("BGR3")
  /// Four bytes a pixel, blue first, alpha last: `V4L2_PIX_FMT_ABGR32`, Apple's `32BGRA`.
  public static let bgra32 = PixelFormat("AR24")
  /// The same as `bgra32`, by the name that users of pixels give it.
  public static var bgra: PixelFormat { bgra32 }
  /// A JPEG picture a frame, as video cameras send it: `V4L2_PIX_FMT_MJPEG`.
  public static let mjpeg = PixelFormat("MJPG")
  /// A JPEG picture a frame: `V4L2_PIX_FMT_JPEG`; read as `mjpeg` is.
  public static let jpeg = PixelFormat("JPEG")
  /// A part of an H.264 stream a frame, with start codes: `V4L2_PIX_FMT_H264`. It is recorded as it
  /// is; nothing here makes pictures of it.
  public static let h264 = PixelFormat("H264")
}

extension PixelFormat {
  /// Whether a frame is a JPEG picture: cameras use both codes for the same thing.
  public var isJPEG: Bool { self == .mjpeg || self == .jpeg }

  /// Whether samples are red, green and blue.
  package var isRGB: Bool { self == .rgb24 || self == .bgr24 || self == .bgra32 }

  /// Whether samples are luma and chroma.
  var isYCbCr: Bool {
    switch self {
    case .yuyv, .uyvy, .nv12, .nv12Multiplanar, .yuv420, .yuv420Multiplanar: true
    default: false
    }
  }
}

// MARK: - CustomStringConvertible

extension PixelFormat: CustomStringConvertible {
  /// The four characters, blanks at the end left out; what is no printable ASCII as `?`.
  public var description: String {
    let characters = (0..<4).map { index -> Character in
      let byte = UInt8(truncatingIfNeeded: rawValue >> (8 * UInt32(index)))
      return (0x20...0x7E).contains(byte) ? Character(Unicode.Scalar(byte)) : "?"
    }
    let length = characters.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0
    return String(characters.prefix(length))
  }
}
