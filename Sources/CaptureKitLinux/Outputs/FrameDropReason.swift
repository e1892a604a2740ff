/// Why a frame did not reach an output, or an output's consumer.
public enum FrameDropReason: Hashable, Sendable {
  /// The consumer was still busy with an earlier frame; Apple's `FrameWasLate`.
  case late
  /// The consumers keep so many frames that there was no memory for another; Apple's
  /// `OutOfBuffers`.
  case outOfBuffers
  /// The stream was interrupted and goes on, so that nobody knows what came between; Apple's
  /// `Discontinuity`.
  case discontinuity
  /// The driver marked it as damaged, it is shorter than its format, or it could not be decoded.
  case corrupt
  /// The driver delivered the same frame again.
  case duplicate
  /// The driver's count has a gap: frames were lost before they came here.
  case lost
  /// A stream that has just started sent a frame of zeros.
  case blank
  /// No other camera had a frame of its time: see ``CaptureDataOutputSynchronizer``.
  case unmatched
}
