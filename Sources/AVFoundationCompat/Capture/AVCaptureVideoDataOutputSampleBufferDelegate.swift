public import CaptureKitLinux

/// Gets the frames of an ``AVCaptureVideoDataOutput``.
///
/// All calls come on the queue that was given with the delegate, one after the other and in the
/// order of the frames. The output does not keep the delegate, and the delegate itself sees to it
/// that other threads may use it meanwhile.
public protocol AVCaptureVideoDataOutputSampleBufferDelegate: AnyObject, SendableMetatype {
  /// A frame is there, in the format of the output's settings.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - sampleBuffer: The frame. Keep it as long as you need it: past a bound the output drops
  ///     further frames, and the camera goes on.
  ///   - connection: The way it came.
  func captureOutput(
    _ output: any AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection)

  /// Frames were dropped; most often one.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - sampleBuffer: A buffer without an image, which says why and when.
  ///   - connection: The way they would have come.
  func captureOutput(
    _ output: any AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection)
}

extension AVCaptureVideoDataOutputSampleBufferDelegate {
  /// Does nothing.
  public func captureOutput(
    _ output: any AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {}

  /// Does nothing.
  public func captureOutput(
    _ output: any AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {}
}
