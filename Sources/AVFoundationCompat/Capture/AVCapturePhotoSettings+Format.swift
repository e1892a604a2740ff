public import CaptureKitLinux

/// The key of a photo's codec, an ``AVVideoCodecType``, in a format dictionary.
public let AVVideoCodecKey: String = "AVVideoCodecKey"
/// The key of a dictionary of a codec's properties in a format dictionary.
public let AVVideoCompressionPropertiesKey: String = "AVVideoCompressionPropertiesKey"
/// The key of the quality, 0 to 1, in a dictionary of a codec's properties.
public let AVVideoQualityKey: String = "Quality"

extension CapturePhotoSettings {
  /// Asks for a photo in a format that a dictionary describes.
  ///
  /// ```swift
  /// AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
  /// ```
  ///
  /// What the dictionary asks for and nobody can do, or knows, makes the photo fail with
  /// `unsupportedSettings`, in the delegate's calls: nothing traps.
  ///
  /// - Parameter format: ``AVVideoCodecKey`` with an ``AVVideoCodecType`` or its raw value,
  ///   ``AVVideoCompressionPropertiesKey`` with ``AVVideoQualityKey``, or
  ///   ``kCVPixelBufferPixelFormatTypeKey``, with which the photo keeps its raw samples besides. nil
  ///   for a JPEG.
  public convenience init(format: [String: Any]?) {
    self.init()
    for (key, value) in format ?? [:] {
      switch key {
      case AVVideoCodecKey:
        codec =
          value as? VideoCodecType ?? VideoCodecType(rawValue: value as? String ?? "\(value)")
      case AVVideoCompressionPropertiesKey:
        quality = (value as? [String: Any])?[AVVideoQualityKey].flatMap(Double.init(of:))
      case kCVPixelBufferPixelFormatTypeKey:
        isPixelBufferDeliveryEnabled = true
      default:
        // No photo has such a codec; the refusal names it.
        codec = VideoCodecType(rawValue: key)
      }
    }
  }
}

extension Double {
  /// A number of any of the types that end up in dictionaries.
  fileprivate init?(of value: Any) {
    switch value {
    case let number as Double: self = number
    case let number as Float: self = Double(number)
    case let number as Int: self = Double(number)
    default: return nil
    }
  }
}

// MARK: - Older spellings

extension CapturePhotoSettings {
  /// Whether the photo may be larger than the stream's pictures: the older form of
  /// `maxPhotoDimensions`.
  public var isHighResolutionPhotoEnabled: Bool {
    get { maxPhotoDimensions != nil }
    set { maxPhotoDimensions = newValue ? .largest : nil }
  }
}

extension CapturePhotoOutput {
  /// Whether photos may be larger than the stream's pictures: the older form of
  /// `maxPhotoDimensions`.
  public var isHighResolutionCaptureEnabled: Bool {
    get { maxPhotoDimensions != nil }
    set { maxPhotoDimensions = newValue ? .largest : nil }
  }

  /// Gets ready for photos; nothing has to be made ready here.
  ///
  /// - Parameters:
  ///   - settings: What the photos are to be like; not kept.
  ///   - completionHandler: Called at once, on this thread, with true and no error.
  public func setPreparedPhotoSettingsArray(
    _ settings: [CapturePhotoSettings], completionHandler: ((Bool, (any Error)?) -> Void)? = nil
  ) {
    completionHandler?(true, nil)
  }
}

extension VideoDimensions {
  fileprivate static var largest: VideoDimensions { VideoDimensions(width: 65_535, height: 65_535) }
}
