/// Keeps a header true while the file behind it grows, so that one whose process dies says how long
/// it is. Changes bytes in their places only.
protocol HeaderUpkeep {
  /// After the header was written, and again after the container was completed.
  func begin(_ sink: MovieFileSink)
  /// After what was recorded has been written.
  ///
  /// - Parameters:
  ///   - sink: The file.
  ///   - duration: The movie's.
  ///   - tickCount: Times that a frame could have had, of which AVI has one chunk each.
  func update(_ sink: MovieFileSink, duration: Duration, tickCount: Int64)
}

extension MovieContainer {
  /// What a header needs.
  ///
  /// - Parameter header: The file's first bytes.
  /// - Returns: nil for fragments, of which each says its own.
  func upkeep(of header: [UInt8]) -> (any HeaderUpkeep)? {
    switch self {
    case .matroska: MatroskaHeader(header)
    case .avi: AVIHeader(header)
    default: nil
    }
  }
}
