public import CaptureKitLinux

extension CaptureDevice.Format {
  /// The format's pixel format and largest size, as Core Media describes them.
  public var formatDescription: CMFormatDescription {
    CMFormatDescription(pixelFormat: pixelFormat, range: nil, dimensions: maximumDimensions)
  }
}
