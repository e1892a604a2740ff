public import CaptureKitLinux

/// What a movie's frames are to be coded as, and how well.
///
/// Frames that the camera sends in the codec already are recorded as they are, whatever quality is
/// asked for.
public struct MovieSettings: Hashable, Sendable {
  /// `.jpeg` or `.h264`; nil where the camera decides: what it compresses stays as it is, raw
  /// frames become H.264 where an encoder is installed, otherwise JPEG.
  public let codec: VideoCodecType?
  /// How good frames are that have to be encoded: 0, the smallest, to 1, the best.
  public let quality: Double
  /// Bits a second of frames that have to be encoded as H.264; nil where the quality decides.
  public let bitRate: Int?

  /// What the camera compresses stays as it is; raw frames are encoded.
  public static let automatic = MovieSettings()

  /// Names a codec and a quality.
  ///
  /// - Parameters:
  ///   - codec: `.jpeg` or `.h264`; nil where the camera decides.
  ///   - quality: 0, the smallest, to 1, the best; other numbers count as the nearest of these.
  ///   - bitRate: Bits a second of H.264; at least 10 000. nil where the quality decides.
  public init(codec: VideoCodecType? = nil, quality: Double = 0.75, bitRate: Int? = nil) {
    self.codec = codec
    self.quality = quality.isNaN ? 0.75 : min(max(quality, 0), 1)
    self.bitRate = bitRate.map { min(max($0, 10_000), 1_000_000_000) }
  }
}
