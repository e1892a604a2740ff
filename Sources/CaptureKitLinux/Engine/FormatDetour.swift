/// A short stay of a running camera in another format: for a still that is larger than the stream's
/// pictures.
///
/// The loop stops the stream, starts it in the other format, hands each whole frame to `receive`
/// and, when that is satisfied, goes back. Other outputs get nothing meanwhile; afterwards they are
/// told of a discontinuity, of one for stays that follow each other. A camera that cannot go back
/// is brought back as after any other fault. All closures are called on the camera's thread, and
/// `onEnd` exactly once.
struct FormatDetour: Sendable {
  /// The other format.
  let format: CaptureFormat
  /// When the stay ends at the latest.
  let deadline: HostTime
  /// The stay has begun: what the camera really delivers, and when it was started.
  let onStart: @Sendable (CaptureFormat, HostTime) -> Void
  /// Takes a whole frame, its stamp corrected.
  ///
  /// - Returns: Whether the stay may end.
  let receive: @Sendable (CapturedFrame) -> Bool
  /// The stay is over, or could not begin: nil where `receive` has ended it, else why.
  let onEnd: @Sendable (CaptureError?) -> Void
}
