/// How much of what the camera has shown before a recording begins its movie.
///
/// The frames are kept compressed, in memory of exactly their size, oldest first out.
public struct MoviePreRoll: Hashable, Sendable {
  /// At most this long; a little less where the movie has to begin on a key frame.
  public let duration: Duration
  /// At most so many bytes of frames.
  public let byteLimit: Int

  /// Names both bounds.
  ///
  /// - Parameters:
  ///   - duration: At most ten minutes.
  ///   - byteLimit: Bytes of compressed frames.
  public init(duration: Duration, byteLimit: Int = 256 << 20) {
    self.duration = min(max(duration, .zero), .seconds(600))
    self.byteLimit = max(byteLimit, 0)
  }
}
