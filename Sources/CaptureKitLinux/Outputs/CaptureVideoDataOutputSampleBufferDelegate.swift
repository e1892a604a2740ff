/// Gets the frames of a video data output; Apple's `AVCaptureVideoDataOutputSampleBufferDelegate`.
///
/// All calls come on the queue that was given with the delegate, one after the other and in the
/// order of the frames, never under a lock: call the output or the session as you like. While a
/// call is under way no other comes, however many frames the camera sends. As with Apple's protocol
/// the output does not keep the delegate, and the delegate itself sees to it that other threads may
/// use it meanwhile. A delegate of the main actor takes the calls off it, as with
/// ``CapturePhotoCaptureDelegate``.
public protocol CaptureVideoDataOutputSampleBufferDelegate: AnyObject, SendableMetatype {
  /// A frame is there, in the format of the output's settings.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - frame: The frame. Keep it as long as you need it: past a bound the output drops further
  ///     frames, and the camera goes on.
  ///   - connection: The way it came.
  func captureOutput(
    _ output: any CaptureOutput, didOutput frame: CapturedFrame, from connection: CaptureConnection)

  /// Frames were dropped; most often one, told once.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - frame: Why, how many, and when they were taken.
  ///   - connection: The way they would have come.
  func captureOutput(
    _ output: any CaptureOutput, didDrop frame: DroppedFrame, from connection: CaptureConnection)
}

extension CaptureVideoDataOutputSampleBufferDelegate {
  /// Does nothing.
  public func captureOutput(
    _ output: any CaptureOutput, didOutput frame: CapturedFrame, from connection: CaptureConnection
  ) {}

  /// Does nothing.
  public func captureOutput(
    _ output: any CaptureOutput, didDrop frame: DroppedFrame, from connection: CaptureConnection
  ) {}
}
