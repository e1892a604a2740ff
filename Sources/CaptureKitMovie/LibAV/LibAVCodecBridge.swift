import CLibAV
import CaptureKitLinux
import Imaging

/// The codecs that movies are read with, and what they are called.
enum LibAVCodecBridge {
  private static let read: [AVCodecID] = [
    AV_CODEC_ID_MJPEG, AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VP8, AV_CODEC_ID_VP9,
    AV_CODEC_ID_AV1, AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4,
    AV_CODEC_ID_H263, AV_CODEC_ID_MSMPEG4V3, AV_CODEC_ID_THEORA, AV_CODEC_ID_PRORES,
    AV_CODEC_ID_DNXHD, AV_CODEC_ID_DVVIDEO, AV_CODEC_ID_FFV1, AV_CODEC_ID_HUFFYUV,
    AV_CODEC_ID_FFVHUFF, AV_CODEC_ID_RAWVIDEO, AV_CODEC_ID_PNG,
  ]

  static func isRead(_ codec: AVCodecID) -> Bool { read.contains(codec) }

  /// The decoders that libavformat may open to look at packets.
  static let decoderNames = read.compactMap { codec -> String? in
    guard let decoder = avcodec_find_decoder(codec) else { return nil }
    return String(cString: decoder.pointee.name)
  }.joined(separator: ",")

  /// The library's name of a codec.
  static func name(of codec: AVCodecID) -> String { String(cString: avcodec_get_name(codec)) }

  /// Apple's name of a codec; the library's where Apple has none.
  static func type(of codec: AVCodecID) -> VideoCodecType {
    switch codec {
    case AV_CODEC_ID_MJPEG: .jpeg
    case AV_CODEC_ID_H264: .h264
    case AV_CODEC_ID_HEVC: .hevc
    case AV_CODEC_ID_VP8: VideoCodecType(rawValue: "vp08")
    case AV_CODEC_ID_VP9: VideoCodecType(rawValue: "vp09")
    case AV_CODEC_ID_AV1: VideoCodecType(rawValue: "av01")
    case AV_CODEC_ID_MPEG4: VideoCodecType(rawValue: "mp4v")
    case AV_CODEC_ID_MPEG2VIDEO: VideoCodecType(rawValue: "mp2v")
    case AV_CODEC_ID_PRORES: VideoCodecType(rawValue: "apcn")
    default: VideoCodecType(rawValue: name(of: codec))
    }
  }

  /// The most pixels that a frame may have: so many that a decoder's pictures stay within the
  /// allowed memory. Those that frames are predicted from are kept, sixteen and a few more.
  static func pixelLimit(of codec: AVCodecID, _ limits: Image.Limits) -> Int {
    let isIntra =
      avcodec_descriptor_get(codec).map {
        $0.pointee.props & Int32(AV_CODEC_PROP_INTRA_ONLY) != 0
      } ?? false
    let bytesPerPixel = isIntra ? 12 : 30
    return max(0, min(limits.pixelCount, limits.memoryByteCount / bytesPerPixel))
  }
}
