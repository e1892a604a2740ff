public import CaptureKitLinux
public import Foundation

/// A recording that is over, and its file.
public struct RecordedMovie: Hashable, Sendable {
  /// The file.
  public let url: URL
  /// How frames lie in it.
  public let container: MovieContainer
  /// What its frames are coded as; nil where there is none.
  public var codec: VideoCodecType? { statistics.codec }
  /// From its first frame to the end of its last; pauses left out.
  public var duration: Duration { statistics.duration }
  /// The file's size.
  public var byteCount: Int64 { statistics.byteCount }
  /// When its first frame was taken; nil where there is none.
  public let startTime: HostTime?
  /// What became of the frames.
  public let statistics: MovieStatistics
  /// What ended it; nil where it was asked to end. Where ``MovieError/recordingSucceeded`` is true
  /// the file can be played all the same.
  public let error: MovieError?
}
