package import LinuxSystem

/// What came of waiting for a frame.
package enum NextFrame: Sendable {
  case frame(LeasedFrame)
  /// The time was up.
  case timedOut
  /// ``VideoStream/interrupt()`` or ``VideoStream/stop()`` was called.
  case interrupted
  /// The driver lost a frame and was put right; the stream goes on.
  case transient(Errno)
  /// The signal at the input has another form: the stream is to be stopped and started again.
  case sourceChanged
  /// The device's shutter was closed; frames show nothing.
  case privacyShutterClosed
  /// The driver says that no more frames will come until the stream is started again.
  case ended
}
