import CaptureKitLinux
import Imaging

/// One of the tracks of a movie: what its container has to know of it before the first sample.
struct MovieTrack: Hashable, Sendable {
  /// What a track carries. Movies are silent for now; sound will be another kind.
  enum Media: Hashable, Sendable {
    case video(Video)
  }

  /// A picture track.
  struct Video: Hashable, Sendable {
    var codec: VideoCodecType
    var width: Int
    var height: Int
    /// nil where the frames say it themselves.
    var color: ColorDescription?
    /// H.264's sequence and picture parameter sets with start codes; empty for JPEG.
    var parameterSets: [UInt8] = []
    /// The camera's nominal time between frames, where it is known.
    var frameDuration: FrameDuration?
    var orientation = ImageOrientation.up
  }

  var media: Media

  init(_ video: Video) { media = .video(video) }

  var video: Video {
    switch media {
    case .video(let video): video
    }
  }
}
