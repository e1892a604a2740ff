import CaptureKitLinux
import Imaging

/// Makes H.264 of raw frames and of JPEG pictures by libavcodec.
final class H264EncodingCoder: FrameCoder {
  var encoder: String? { libAV.name }
  private(set) var track: MovieTrack.Video?
  private let libAV: LibAVEncoder
  private let stream: LibAVEncoder.Stream
  private var clock = EncoderClock()
  private var lastKeyTime: Int64?
  private var needsKey = true

  /// A movie can be entered, and a pre-roll begin, this often; microseconds.
  private static let keyInterval: Int64 = 1_000_000

  /// - Returns: nil where the encoder does not take such frames.
  init?(_ encoder: String, _ frame: CapturedFrame, _ settings: MovieSettings) {
    // What has no luma of its own gets what is usual; chroma of odd sides has no last half.
    let color = frame.pixelBuffer.map { $0.format.isRGB ? .bt601Limited : $0.color }
    stream = LibAVEncoder.Stream(
      width: frame.width & ~1, height: frame.height & ~1, color: color ?? .bt601Limited,
      frameDuration: frame.duration, quality: settings.quality, bitRate: settings.bitRate)
    guard stream.width > 0, stream.height > 0, let libAV = LibAVEncoder(encoder, stream) else {
      return nil
    }
    self.libAV = libAV
  }

  func code(_ frame: CapturedFrame) throws -> [MovieSample] {
    let pixels = try pixels(of: frame)
    let time = clock.time(of: frame.timestamp.time.nanoseconds)
    let isDue = lastKeyTime.map { time - $0 >= Self.keyInterval } ?? true
    let asKey = needsKey || isDue
    needsKey = false
    if asKey { lastKeyTime = time }
    return try samples(of: libAV.encode(pixels, at: time, asKey: asKey))
  }

  func restart() { needsKey = true }

  func drain() throws(MovieError) -> [MovieSample] { try samples(of: libAV.drain()) }

  private func pixels(of frame: CapturedFrame) throws -> PixelBuffer {
    do {
      let pixels = try frame.pixels(as: .yuv420)
      guard pixels.color != stream.color else { return pixels }
      return try pixels.converted(to: .yuv420, color: stream.color)
    } catch  where error.code == .unsupported {
      throw MovieError(
        .unsupportedCodec,
        "\(frame.pixelFormat) frames cannot be recorded: choose another of the camera's formats.")
    } catch {
      throw FrameRefusal(reason: .corrupt)
    }
  }

  private func samples(of outputs: [LibAVEncoder.Output]) throws(MovieError) -> [MovieSample] {
    if track == nil, let first = outputs.first {
      let unit = H264AccessUnit(parsing: first.bytes.span.bytes)
      guard unit.hasParameterSets else {
        throw MovieError(.cannotEncode, "\(libAV.name) does not say what it encodes.")
      }
      track = MovieTrack.Video(
        codec: .h264, width: stream.width, height: stream.height, color: stream.color,
        parameterSets: unit.parameterSets(in: first.bytes.span.bytes),
        frameDuration: stream.frameDuration)
    }
    return outputs.compactMap { output in
      clock.stamp(at: output.time).map {
        MovieSample(
          bytes: SharedBytes(output.bytes), time: HostTime(nanoseconds: $0), isKey: output.isKey)
      }
    }
  }
}
