import CaptureKitLinux
import Imaging

/// Makes samples of a movie of a camera's frames. Used by one thread at a time.
protocol FrameCoder: AnyObject {
  /// What encodes; nil where frames stay as they are.
  var encoder: String? { get }
  /// What the container has to know; nil until a frame has said it.
  var track: MovieTrack.Video? { get }

  /// Codes a frame.
  ///
  /// - Returns: Samples, none where nothing has come out.
  /// - Throws: `FrameRefusal` where this frame cannot be had and the next one may be; `MovieError`
  ///   where nothing more can.
  func code(_ frame: CapturedFrame) throws -> [MovieSample]

  /// Sees to it that the next sample is one that a movie can begin or go on with, if it can.
  func restart()

  /// What is still to come out; nothing goes in any more.
  func drain() throws(MovieError) -> [MovieSample]
}

extension FrameCoder {
  func restart() {}
  func drain() throws(MovieError) -> [MovieSample] { [] }
}

/// A frame that is left out of the movie, and why.
struct FrameRefusal: Error {
  let reason: FrameDropReason
}

/// Which coder serves which frames.
struct FrameCoding: Hashable {
  /// The camera's frames, as far as they decide.
  let pixelFormat: PixelFormat
  let dimensions: VideoDimensions
  let settings: MovieSettings

  init(_ frame: CapturedFrame, _ settings: MovieSettings) {
    pixelFormat = frame.pixelFormat
    dimensions = frame.dimensions
    self.settings = settings
  }

  /// Whether frames are of the same kind.
  func hasSameFrames(as other: FrameCoding) -> Bool {
    pixelFormat == other.pixelFormat && dimensions == other.dimensions
  }

  /// Chooses what codes them.
  ///
  /// - Parameters:
  ///   - frame: The first one.
  ///   - encoder: The H.264 encoder that works here; nil where there is none.
  /// - Returns: A coder for frames like this one.
  /// - Throws: `unsupportedCodec`.
  func coder(for frame: CapturedFrame, encoder: String?) throws(MovieError) -> any FrameCoder {
    switch (settings.codec, pixelFormat) {
    case (nil, .h264), (.h264, .h264): return H264PassthroughCoder()
    case (_, .h264): throw .cannotDecodeH264
    case (nil, .mjpeg), (nil, .jpeg), (.jpeg, .mjpeg), (.jpeg, .jpeg):
      return JPEGPassthroughCoder()
    case (.jpeg, _): return JPEGEncodingCoder(settings)
    case (nil, _):
      return encoder.flatMap { H264EncodingCoder($0, frame, settings) }
        ?? JPEGEncodingCoder(settings)
    case (.h264, _):
      guard let encoder else { throw .noEncoder }
      guard let coder = H264EncodingCoder(encoder, frame, settings) else {
        throw .encoderRefuses(encoder, dimensions)
      }
      return coder
    case (let codec?, _): throw .unknownCodec(codec)
    }
  }
}

extension MovieError {
  static let noEncoder = MovieError(
    .unsupportedCodec,
    "No encoder for H.264 is installed: install libavcodec with libx264 (libavcodec-extra on "
      + "Debian), or record JPEG.")

  fileprivate static let cannotDecodeH264 = MovieError(
    .unsupportedCodec,
    "The camera sends H.264, which is recorded as it is: ask for .h264, or choose another of the "
      + "camera's formats.")

  static func unknownCodec(_ codec: VideoCodecType) -> MovieError {
    MovieError(
      .unsupportedCodec, "Movies cannot be recorded as \(codec.rawValue): use .jpeg or .h264.")
  }

  fileprivate static func encoderRefuses(
    _ encoder: String, _ dimensions: VideoDimensions
  ) -> MovieError {
    MovieError(
      .unsupportedCodec,
      "\(encoder) does not encode pictures of \(dimensions): choose another size, or record JPEG.")
  }
}
