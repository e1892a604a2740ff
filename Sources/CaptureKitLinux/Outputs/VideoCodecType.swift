/// How pictures are compressed; Apple's `AVVideoCodecType`.
public struct VideoCodecType: RawRepresentable, Hashable, Sendable {
  /// Apple's word for it.
  public let rawValue: String

  /// Takes any word, known to this library or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// JPEG.
  public static let jpeg = VideoCodecType(rawValue: "jpeg")
  /// H.264 (ITU-T H.264, MPEG-4 AVC); for movies.
  public static let h264 = VideoCodecType(rawValue: "avc1")
  /// HEVC (ITU-T H.265); photos are HEIC files then.
  public static let hevc = VideoCodecType(rawValue: "hvc1")
}
