/// How far a recording may go; pure.
struct RecordingLimits: Hashable, Sendable {
  var duration: Duration?
  var byteCount: Int64?
  var freeByteCount: Int64?

  /// What a container's end and index may take besides the frames, for each and altogether: an
  /// index entry of AVI has 16 bytes, one of OpenDML's 8 more, a Matroska cue up to 24.
  private static let indexByteCount: Int64 = 24
  private static let endByteCount: Int64 = 4096

  /// The limit that a frame would break; nil where it may be written.
  ///
  /// - Parameters:
  ///   - end: Where the movie would end with the frame.
  ///   - frameCount: Frames in the movie without it.
  ///   - byteCount: Bytes of the file without it, those included that are not written yet.
  ///   - frameByteCount: Its own.
  /// - Returns: The error's code.
  func broken(
    byEndAt end: Duration, frameCount: UInt64, byteCount: Int64, frameByteCount: Int
  ) -> MovieError.Code? {
    if let duration, end > duration { return .maximumDurationReached }
    if let limit = self.byteCount {
      let index = Self.indexByteCount * Int64(clamping: min(frameCount, 1 << 40) + 1)
      let total = byteCount + Int64(frameByteCount) + index + Self.endByteCount
      if total > limit { return .maximumFileSizeReached }
    }
    return nil
  }

  /// Whether the disk has less room than is to be left.
  func leaves(_ freeByteCount: Int64) -> Bool {
    self.freeByteCount.map { freeByteCount >= $0 } ?? true
  }
}
