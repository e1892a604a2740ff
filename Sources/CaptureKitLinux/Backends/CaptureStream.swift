/// One opened camera.
///
/// All calls but ``interrupt()`` come one after the other: the first ``start(_:)`` on the session's
/// own queue, then ``nextFrame(before:)`` again and again and at last ``stop()`` on the camera's
/// thread. Where frames stop coming, the session stops the stream on that thread, and starts it
/// again or opens the camera anew. Letting go of the object closes the camera.
public protocol CaptureStream: AnyObject, Sendable {
  /// Starts the flow of frames.
  ///
  /// - Parameter format: What is asked for, one of the camera's formats. A camera that delivers
  ///   something else says so in ``deliveredFormat``, and in each frame.
  /// - Throws: A ``CaptureError``; the stream is then as before. With `inUse`, `noSignal` and
  ///   `privacyShutter` a session may wait, and ask again every two seconds at most.
  func start(_ format: CaptureFormat) throws

  /// What the camera really delivers; nil where it is what was asked for.
  var deliveredFormat: CaptureFormat? { get }

  /// Waits for the next frame.
  ///
  /// - Parameter deadline: When to give up waiting.
  /// - Returns: nil when the deadline has passed, or ``interrupt()`` was called.
  /// - Throws: A ``CaptureError`` when no more frames will come until the stream is stopped and
  ///   started again: `disconnected`, `streamFailed`; `sourceChanged` where frames of another form
  ///   would come; `noSignal` and `privacyShutter`, which interrupt a session until a start
  ///   succeeds. A damaged frame is no error; it is returned and marked.
  func nextFrame(before deadline: ContinuousClock.Instant) throws -> CapturedFrame?

  /// Makes a waiting ``nextFrame(before:)``, or the next one, return nil at once.
  ///
  /// Called from any thread, at any time, any number of times.
  func interrupt()

  /// Ends the flow of frames; does nothing on a stream that is not started.
  func stop()

  /// How many passing errors the stream has made up for by itself since it was opened; by default
  /// 0.
  var transientErrorCount: UInt64 { get }
}

extension CaptureStream {
  /// None that are known.
  public var transientErrorCount: UInt64 { 0 }

  /// Delivers what was asked for.
  public var deliveredFormat: CaptureFormat? { nil }
}
