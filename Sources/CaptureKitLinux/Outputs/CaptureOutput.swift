/// Something that takes the frames of a session: photos, video data, or your own.
///
/// Frames come on the camera's own thread, one after the other; an output takes what it needs and
/// returns at once. Whatever it keeps of a frame keeps one of the driver's few buffers. Before the
/// driver runs dry frames come as copies; while eight of those are kept, further frames are
/// dropped. What it is told about connections comes on the thread that changes the session, the
/// start of a camera on the session's own queue. A session that is stopped or changed within one of
/// these calls carries that out later.
public protocol CaptureOutput: AnyObject, Sendable {
  /// The session has connected the output to a camera; at once, also within a batch.
  func didConnect(_ connection: CaptureConnection)

  /// The session has taken the connection away; at the end of a batch.
  func didDisconnect(_ connection: CaptureConnection)

  /// The connection's camera has started; frames follow.
  ///
  /// Called on the session's own queue; where the session has brought the camera back, or a photo
  /// had it in another format, on the camera's thread.
  ///
  /// - Parameters:
  ///   - connection: The connection, active once this has returned.
  ///   - format: What the camera delivers.
  ///   - time: When it started.
  func connection(
    _ connection: CaptureConnection, didStartWith format: CaptureFormat, at time: HostTime)

  /// A frame is there, whole as far as the driver says.
  ///
  /// Called on the camera's thread.
  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame)

  /// A frame was lost or is not fit to be used; once for each, but frames lost in a row are told at
  /// once.
  ///
  /// Called on the camera's thread.
  func connection(_ connection: CaptureConnection, didDrop frame: DroppedFrame)

  /// The connection's camera has stopped; no frames follow.
  ///
  /// Called on the camera's thread as its last call; where the output was removed, on the session's
  /// own queue, and a frame that is under way may still come.
  ///
  /// - Parameters:
  ///   - connection: The connection, inactive from now on.
  ///   - error: Why; nil where the session was stopped.
  func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?)

  /// The session has stopped, asked to or not, or has let go of the output: no frames of any camera
  /// follow until the session is started again, or the output is added to another.
  ///
  /// Not called between two cameras or two formats. Called on the thread that changes the session,
  /// or on the session's own queue.
  func deliveryDidEnd()
}

extension CaptureOutput {
  /// Does nothing.
  public func didConnect(_ connection: CaptureConnection) {}

  /// Does nothing.
  public func didDisconnect(_ connection: CaptureConnection) {}

  /// Does nothing.
  public func connection(
    _ connection: CaptureConnection, didStartWith format: CaptureFormat, at time: HostTime
  ) {}

  /// Does nothing.
  public func connection(_ connection: CaptureConnection, didDrop frame: DroppedFrame) {}

  /// Does nothing.
  public func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {}

  /// Does nothing.
  public func deliveryDidEnd() {}
}
