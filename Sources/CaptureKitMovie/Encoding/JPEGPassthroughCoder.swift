import CaptureKitLinux
import Imaging

/// Takes a camera's JPEG pictures as they are; where they lack Huffman tables these are put in, or
/// players would need to know that.
final class JPEGPassthroughCoder: FrameCoder {
  let encoder: String? = nil
  private(set) var track: MovieTrack.Video?

  func code(_ frame: CapturedFrame) throws -> [MovieSample] {
    let bytes = frame.sharedBytes
    let completed: SharedBytes
    do {
      completed =
        try JPEGPassthrough.insertingTables(into: bytes.bytes).map { SharedBytes($0) } ?? bytes
    } catch {
      throw FrameRefusal(reason: .corrupt)
    }
    track =
      track
      ?? MovieTrack.Video(
        codec: .jpeg, width: frame.width, height: frame.height, color: .jpeg,
        frameDuration: frame.duration)
    return [MovieSample(bytes: completed, time: frame.timestamp.time, isKey: true)]
  }
}
