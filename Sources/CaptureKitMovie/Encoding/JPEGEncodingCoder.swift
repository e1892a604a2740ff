import CaptureKitLinux
import Imaging

/// Makes JPEG pictures of raw frames.
final class JPEGEncodingCoder: FrameCoder {
  let encoder: String? = "Imaging"
  private(set) var track: MovieTrack.Video?
  private let jpeg: JPEGEncoder

  init(_ settings: MovieSettings) {
    jpeg = JPEGEncoder(quality: settings.quality)
  }

  func code(_ frame: CapturedFrame) throws -> [MovieSample] {
    let bytes: SharedBytes
    do {
      // What Imaging does not encode as it is has pixels all the same.
      let pixels = try frame.pixelBuffer ?? frame.pixels(as: .bgra)
      bytes = SharedBytes(try jpeg.encode(pixels))
    } catch let error as ImagingError where error.code == .unsupported {
      throw MovieError(
        .unsupportedCodec,
        "\(frame.pixelFormat) frames cannot be recorded: choose another of the camera's formats.")
    } catch {
      throw FrameRefusal(reason: .corrupt)
    }
    track =
      track
      ?? MovieTrack.Video(
        codec: .jpeg, width: frame.width, height: frame.height, color: .jpeg,
        frameDuration: frame.duration)
    return [MovieSample(bytes: bytes, time: frame.timestamp.time, isKey: true)]
  }
}
