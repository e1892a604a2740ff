/// Gets sets of frames; Apple's `AVCaptureDataOutputSynchronizerDelegate`.
///
/// All calls come on the queue that was given with the delegate, one after the other, never under a
/// lock. As with Apple's protocol the synchronizer does not keep the delegate.
public protocol CaptureDataOutputSynchronizerDelegate: AnyObject, SendableMetatype {
  /// Frames of one time are there.
  ///
  /// - Parameters:
  ///   - synchronizer: The synchronizer.
  ///   - frameSet: The frames, and which cameras have none.
  func dataOutputSynchronizer(
    _ synchronizer: CaptureDataOutputSynchronizer, didOutput frameSet: CaptureFrameSet)

  /// Frames are in no set: they fit none (`unmatched`), their set was late, or the output did not
  /// get them.
  ///
  /// - Parameters:
  ///   - synchronizer: The synchronizer.
  ///   - frame: Why, how many, and when they were taken.
  ///   - connection: The way they came, or would have come.
  func dataOutputSynchronizer(
    _ synchronizer: CaptureDataOutputSynchronizer, didDrop frame: DroppedFrame,
    from connection: CaptureConnection)
}

extension CaptureDataOutputSynchronizerDelegate {
  /// Does nothing.
  public func dataOutputSynchronizer(
    _ synchronizer: CaptureDataOutputSynchronizer, didDrop frame: DroppedFrame,
    from connection: CaptureConnection
  ) {}
}
