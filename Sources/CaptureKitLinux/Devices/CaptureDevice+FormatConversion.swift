extension CaptureDevice.Format {
  /// What makes pictures of frames that this library does not read as they are.
  ///
  /// It works when a frame's pixels are asked for, once for all who ask; the frames themselves stay
  /// what the camera has sent. ``CaptureStatistics/converted`` counts it.
  public enum Conversion: Hashable, Sendable {
    /// The system's library for sensor mosaics (Bayer), rare orders of samples and old webcams' own
    /// compressions.
    case libv4lconvert
    /// Samples of more than eight bits are shortened to their upper eight.
    case upperEightBits
  }
}

// MARK: - CustomStringConvertible

extension CaptureDevice.Format.Conversion: CustomStringConvertible {
  /// In the middle of a sentence: `converted by libv4lconvert`.
  public var description: String {
    switch self {
    case .libv4lconvert: "converted by libv4lconvert"
    case .upperEightBits: "shortened to 8 bits"
    }
  }
}
