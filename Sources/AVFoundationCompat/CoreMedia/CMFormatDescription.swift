public import CaptureKitLinux
import Imaging

/// A picture's size in pixels; Core Media's, with `Int` instead of `Int32`.
public typealias CMVideoDimensions = VideoDimensions
/// Four characters, the first in the highest byte.
public typealias FourCharCode = UInt32
/// The kind of a format description that is of video.
public typealias CMVideoFormatDescription = CMFormatDescription

/// Core Media's four characters for JPEG.
public let kCMVideoCodecType_JPEG: FourCharCode = 0x6A70_6567
/// Core Media's four characters for video.
public let kCMMediaType_Video: FourCharCode = 0x7669_6465

/// What a picture is: its pixel format, or codec, and its size; Core Media's `CMFormatDescription`.
public struct CMFormatDescription: Hashable, Sendable {
  /// Pixels in a row, and rows.
  public let dimensions: CMVideoDimensions
  /// The pixel format's or codec's four characters; what Core Media has no name for keeps the
  /// kernel's.
  public let mediaSubType: FourCharCode

  init(pixelFormat: PixelFormat, range: ColorDescription.Range?, dimensions: CMVideoDimensions) {
    self.dimensions = dimensions
    mediaSubType =
      pixelFormat.isJPEG ? kCMVideoCodecType_JPEG : pixelFormat.pixelFormatType(range: range)
  }

  /// What kind of media it is: always video.
  public var mediaType: FourCharCode { kCMMediaType_Video }
}

/// Pixels in a row, and rows.
public func CMVideoFormatDescriptionGetDimensions(
  _ description: CMFormatDescription
) -> CMVideoDimensions { description.dimensions }

/// The pixel format's or codec's four characters.
public func CMFormatDescriptionGetMediaSubType(_ description: CMFormatDescription) -> FourCharCode {
  description.mediaSubType
}

/// What kind of media it is.
public func CMFormatDescriptionGetMediaType(_ description: CMFormatDescription) -> FourCharCode {
  description.mediaType
}
