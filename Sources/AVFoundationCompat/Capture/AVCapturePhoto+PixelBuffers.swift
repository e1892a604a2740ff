public import CaptureKitLinux

// Members whose type is another in `CaptureKitLinux`: see `AVCaptureDevice+Times.swift`.

extension CapturePhoto {
  /// When the photo's frame was taken; `CMTime.invalid` for a photo that failed.
  @_disfavoredOverload
  public var timestamp: CMTime { time.map { CMTime($0) } ?? .invalid }

  /// The raw frame's samples, where the settings asked for them; a new buffer each time.
  @_disfavoredOverload
  public var pixelBuffer: CVPixelBuffer? { samples.map { CVPixelBuffer($0) } }

  /// The preview, where the settings asked for one; a new buffer each time.
  @_disfavoredOverload
  public var previewPixelBuffer: CVPixelBuffer? { previewSamples.map { CVPixelBuffer($0) } }
}
