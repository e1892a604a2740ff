public import CaptureKitLinux

/// The key of a width in an embedded thumbnail's format.
public let AVVideoWidthKey: String = "AVVideoWidthKey"
/// The key of a height in an embedded thumbnail's format.
public let AVVideoHeightKey: String = "AVVideoHeightKey"

// The small pictures that come with a photo, asked for with dictionaries.
extension CapturePhotoSettings {
  /// The pixel formats of previews: `32BGRA`.
  public var availablePreviewPhotoPixelFormatTypes: [OSType] { [kCVPixelFormatType_32BGRA] }

  /// Asks for a preview: `kCVPixelBufferWidthKey` and `kCVPixelBufferHeightKey` are the box that it
  /// must fit into, 1024 pixels where they are missing. nil, as it is until set, for none.
  public var previewPhotoFormat: [String: Any]? {
    get {
      previewDimensions.map { box in
        [
          kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA,
          kCVPixelBufferWidthKey: box.width, kCVPixelBufferHeightKey: box.height,
        ]
      }
    }
    set {
      previewDimensions = newValue.map { format in
        VideoDimensions(
          width: format[kCVPixelBufferWidthKey] as? Int ?? 1024,
          height: format[kCVPixelBufferHeightKey] as? Int ?? 1024)
      }
    }
  }

  /// The codecs of embedded thumbnails: JPEG.
  public var availableEmbeddedThumbnailPhotoCodecTypes: [VideoCodecType] { [.jpeg] }

  /// Asks for a thumbnail in the file: ``AVVideoWidthKey`` and ``AVVideoHeightKey`` are the box
  /// that it must fit into, 160 by 120 pixels where they are missing. nil, as it is until set, for
  /// none.
  public var embeddedThumbnailPhotoFormat: [String: Any]? {
    get {
      embeddedThumbnailDimensions.map { box in
        [
          AVVideoCodecKey: VideoCodecType.jpeg, AVVideoWidthKey: box.width,
          AVVideoHeightKey: box.height,
        ]
      }
    }
    set {
      embeddedThumbnailDimensions = newValue.map { format in
        VideoDimensions(
          width: format[AVVideoWidthKey] as? Int ?? 160,
          height: format[AVVideoHeightKey] as? Int ?? 120)
      }
    }
  }
}
