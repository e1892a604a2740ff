package import Imaging

// `AVFoundationCompat` has members of the same names and Apple's types, which hide these there.

extension CaptureDevice {
  /// `activeVideoMinFrameDuration`.
  package var shortestFrameDuration: FrameDuration? {
    get { activeVideoMinFrameDuration }
    set { activeVideoMinFrameDuration = newValue }
  }

  /// `activeVideoMaxFrameDuration`.
  package var longestFrameDuration: FrameDuration? {
    get { activeVideoMaxFrameDuration }
    set { activeVideoMaxFrameDuration = newValue }
  }

  /// `exposureDuration`.
  package var timeOfExposure: Duration? { exposureDuration }
}

extension FrameRateRange {
  /// `minFrameDuration` and `maxFrameDuration`.
  package var frameDurations: ClosedRange<FrameDuration> { minFrameDuration...maxFrameDuration }
}

extension CapturePhoto {
  /// `timestamp`, where the photo has one.
  package var time: HostTime? { timestamp?.time }
  /// `pixelBuffer`.
  package var samples: PixelBuffer? { pixelBuffer }
  /// `previewPixelBuffer`.
  package var previewSamples: PixelBuffer? { previewPixelBuffer }
}
