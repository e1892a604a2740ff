import CaptureKitLinux
import Imaging

/// Takes a camera's H.264 as it is.
///
/// Cameras send parameter sets with some key frames only, or once: they are kept for the container,
/// and for key frames that lack them.
final class H264PassthroughCoder: FrameCoder {
  let encoder: String? = nil
  private(set) var track: MovieTrack.Video?
  private var parameterSets: [UInt8] = []

  func code(_ frame: CapturedFrame) throws -> [MovieSample] {
    let bytes = frame.sharedBytes
    let unit = H264AccessUnit(parsing: bytes.bytes)
    if unit.hasParameterSets { try take(unit.parameterSets(in: bytes.bytes)) }
    guard unit.hasSlice else { return [] }
    // Nothing can be decoded before.
    guard track != nil || (unit.isKey && !parameterSets.isEmpty) else { return [] }
    track =
      track
      ?? MovieTrack.Video(
        codec: .h264, width: frame.width, height: frame.height, color: nil,
        parameterSets: parameterSets, frameDuration: frame.duration)
    let needsSets = unit.isKey && !unit.hasParameterSets
    let whole = needsSets ? bytes.bytes.prefixed(by: parameterSets) : bytes
    return [MovieSample(bytes: whole, time: frame.timestamp.time, isKey: unit.isKey)]
  }

  /// - Throws: `formatChanged` where a movie of the old ones is under way.
  private func take(_ sets: [UInt8]) throws(MovieError) {
    if let track, track.parameterSets != sets {
      throw MovieError(
        .formatChanged,
        "The camera's H.264 has changed, which the file cannot say: begin another recording.")
    }
    parameterSets = sets
  }
}

extension RawSpan {
  /// Other bytes, then these.
  fileprivate func prefixed(by prefix: [UInt8]) -> SharedBytes {
    var bytes = [UInt8]()
    bytes.reserveCapacity(prefix.count + byteCount)
    bytes += prefix
    for place in 0..<byteCount { byte(at: place).map { bytes.append($0) } }
    return SharedBytes(bytes)
  }
}
