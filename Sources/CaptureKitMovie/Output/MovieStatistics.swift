public import CaptureKitLinux

/// What has become of a recording's frames so far; a value, read at any time.
public struct MovieStatistics: Hashable, Sendable {
  /// Frames in the movie.
  public internal(set) var writtenFrameCount: UInt64 = 0
  /// Frames that are not in it since recording began, by reason: lost before they came here, damaged,
  /// or `late`, where the disk or the encoder did not keep up. Those of a pause do not count.
  public internal(set) var droppedFrameCounts: [FrameDropReason: UInt64] = [:]
  /// Bytes of the file.
  public internal(set) var byteCount: Int64 = 0
  /// The movie's duration, pauses left out.
  public internal(set) var duration: Duration = .zero
  /// What the frames are coded as; nil before the first one is written.
  public internal(set) var codec: VideoCodecType?
  /// What encodes the frames, `libx264` for example or `Imaging` for JPEG; nil where they are
  /// recorded as the camera sends them.
  public internal(set) var encoder: String?
}

extension MovieStatistics {
  /// All frames that are not in the movie.
  public var droppedFrameCount: UInt64 { droppedFrameCounts.values.reduce(0, &+) }

  mutating func note(_ reason: FrameDropReason, count: UInt64 = 1) {
    droppedFrameCounts[reason, default: 0] &+= count
  }
}
