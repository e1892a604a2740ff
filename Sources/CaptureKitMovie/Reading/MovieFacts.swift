import CaptureKitLinux
import Foundation
import Imaging

/// What a movie's file says of its pictures.
struct MovieFacts: Hashable, Sendable {
  var container: MovieContainer
  var codec: VideoCodecType
  var codedSize: VideoDimensions
  /// How wide a pixel is for its height, as a fraction.
  var pixelAspect = PixelAspect(width: 1, height: 1)
  var orientation: ImageOrientation
  var timeBase: MovieTimeBase
  /// When the first frame is shown, in units of the time base.
  var start: Int64
  /// Units from the first frame to the end; nil where the file does not say, or cannot know.
  var length: Int64?
  var framesPerSecond: Double?
  var frameCount: Int?
  /// When it was recorded.
  var creationDate: Date?
}

extension MovieFacts {
  struct PixelAspect: Hashable, Sendable {
    var width: Int
    var height: Int
  }

  /// Columns and rows as shown: wide pixels made square, and turned.
  var shownSize: VideoDimensions {
    var size = codedSize
    let side = PixelLayout.maximumSide
    let width = Double(size.width) * Double(pixelAspect.width) / Double(pixelAspect.height)
    size.width = min(max(Int(width.rounded()), 1), max(side, size.width))
    return orientation.swapsSides
      ? VideoDimensions(width: size.height, height: size.width) : size
  }

  /// Whether stored pixels are as wide as high.
  var hasSquarePixels: Bool { pixelAspect.width == pixelAspect.height }

  /// A time from the first frame on as the stream counts it; forgiving by a nanosecond, since a
  /// number of seconds in binary is seldom exact.
  func ticks(at time: Duration) -> Int64 {
    timeBase.ticks(in: time + .nanoseconds(1))
  }

  /// How long the movie is, as far as the file says.
  var duration: Duration? { length.map(timeBase.duration(ofTicks:)) }

  /// How long a frame is shown where nothing else is known, in units; 1 at least.
  var usualTicks: Int64 {
    guard let framesPerSecond, framesPerSecond.isFinite, framesPerSecond > 0.001 else { return 1 }
    return max(1, timeBase.ticks(in: .seconds(1 / framesPerSecond)))
  }
}
