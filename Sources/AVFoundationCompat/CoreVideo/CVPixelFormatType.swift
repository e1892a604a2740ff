import CaptureKitLinux
import Imaging

/// Four characters, the first in the highest byte, as Apple's systems number formats.
public typealias OSType = UInt32

/// The key of a pixel format in settings; on Apple's systems a `CFString`, here a `String`.
public let kCVPixelBufferPixelFormatTypeKey: String = "PixelFormatType"

/// The key of a width in a preview's settings.
public let kCVPixelBufferWidthKey: String = "Width"
/// The key of a height in a preview's settings.
public let kCVPixelBufferHeightKey: String = "Height"

/// Four bytes a pixel, blue first.
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241
/// A plane of luma, one of chroma pairs; black is 16 and white 235: `420v`.
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076
/// A plane of luma, one of chroma pairs; black is 0 and white 255: `420f`.
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066
/// Three planes; black is 16 and white 235: `y420`.
public let kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x7934_3230
/// Three planes; black is 0 and white 255: `f420`.
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType = 0x6634_3230
/// `U Y V Y`: `2vuy`.
public let kCVPixelFormatType_422YpCbCr8: OSType = 0x3276_7579
/// `Y U Y V`: `yuvs`.
public let kCVPixelFormatType_422YpCbCr8_yuvs: OSType = 0x7975_7673
/// Three bytes a pixel, red first.
public let kCVPixelFormatType_24RGB: OSType = 0x0000_0018
/// Three bytes a pixel, blue first: `24BG`.
public let kCVPixelFormatType_24BGR: OSType = 0x3234_4247
/// Luma alone: `L008`.
public let kCVPixelFormatType_OneComponent8: OSType = 0x4C30_3038

/// A pixel format as Apple's systems number it, and what it is here.
struct PixelFormatType {
  let type: OSType
  let format: PixelFormat
  /// nil where the format leaves no choice.
  var range: ColorDescription.Range?

  static let all: [PixelFormatType] = [
    .init(kCVPixelFormatType_32BGRA, .bgra),
    .init(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, .nv12, .limited),
    .init(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, .nv12, .full),
    .init(kCVPixelFormatType_420YpCbCr8Planar, .yuv420, .limited),
    .init(kCVPixelFormatType_420YpCbCr8PlanarFullRange, .yuv420, .full),
    .init(kCVPixelFormatType_422YpCbCr8, .uyvy, .limited),
    .init(kCVPixelFormatType_422YpCbCr8_yuvs, .yuyv, .limited),
    .init(kCVPixelFormatType_24RGB, .rgb24),
    .init(kCVPixelFormatType_24BGR, .bgr24),
    .init(kCVPixelFormatType_OneComponent8, .grey, .full),
  ]

  private init(_ type: OSType, _ format: PixelFormat, _ range: ColorDescription.Range? = nil) {
    self.type = type
    self.format = format
    self.range = range
  }

  /// The settings that deliver the type.
  var settings: CaptureVideoDataOutput.VideoSettings { .pixelFormat(format, range: range) }
}

extension PixelFormat {
  /// Apple's number for the format with a range, or for its more usual one; the kernel's where
  /// there is none.
  func pixelFormatType(range: ColorDescription.Range?) -> OSType {
    let single: PixelFormat =
      switch self {
      case .nv12Multiplanar: .nv12
      case .yuv420Multiplanar: .yuv420
      default: self
      }
    let named = PixelFormatType.all.filter { $0.format == single }
    return (named.first { $0.range == range } ?? named.first)?.type ?? rawValue.byteSwapped
  }
}
