import CLibAV
import CaptureKitLinux
import Imaging
import LinuxSystem

/// Encodes pictures as H.264 by whichever of libavcodec's encoders works here.
///
/// Used by one thread at a time. No frame waits for a later one: what goes in comes out.
final class LibAVEncoder {
  /// The encoder's name, `libx264` for example.
  let name: String
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let frame: UnsafeMutablePointer<AVFrame>
  private let packet: UnsafeMutablePointer<AVPacket>

  /// What a stream of pictures is like.
  struct Stream: Hashable {
    var width: Int
    var height: Int
    var color: ColorDescription
    var frameDuration: FrameDuration?
    var quality: Double
    var bitRate: Int?
  }

  /// One coded picture.
  struct Output {
    var bytes: [UInt8]
    /// In microseconds, as it was given.
    var time: Int64
    var isKey: Bool
  }

  /// Encoders that take pictures from memory, the best first. Only opening one shows whether the
  /// hardware that some need is there.
  private static let candidates = [
    "libx264", "libopenh264", "h264_v4l2m2m", "h264_nvenc", "h264_qsv", "h264_omx",
  ]

  /// The first encoder that can be opened; nil where there is none.
  static let installed: String? = {
    let probe = Stream(
      width: 640, height: 480, color: .bt601Limited, frameDuration: nil, quality: 0.5, bitRate: nil)
    return candidates.first { LibAVEncoder($0, probe) != nil }
  }()

  /// Opens an encoder.
  ///
  /// - Returns: nil where it is not installed, or does not take the stream.
  init?(_ name: String, _ stream: Stream) {
    _ = LibAVCalls.silenced
    guard let codec = avcodec_find_encoder_by_name(name),
      let context = avcodec_alloc_context3(codec)
    else { return nil }
    var failed: UnsafeMutablePointer<AVCodecContext>? = context
    guard let frame = av_frame_alloc(), let packet = av_packet_alloc() else {
      avcodec_free_context(&failed)
      return nil
    }
    self.name = name
    self.context = context
    self.frame = frame
    self.packet = packet
    configure(stream)
    frame.pointee.format = AV_PIX_FMT_YUV420P.rawValue
    frame.pointee.width = context.pointee.width
    frame.pointee.height = context.pointee.height
    guard avcodec_open2(context, codec, nil) >= 0, av_frame_get_buffer(frame, 0) >= 0 else {
      return nil
    }
  }

  deinit {
    var (context, frame, packet) = (
      Optional(context), Optional(frame), Optional(packet)
    )
    avcodec_free_context(&context)
    av_frame_free(&frame)
    av_packet_free(&packet)
  }

  private func configure(_ stream: Stream) {
    let rate = stream.frameDuration ?? .thirtieth
    context.pointee.width = Int32(clamping: stream.width)
    context.pointee.height = Int32(clamping: stream.height)
    context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
    context.pointee.color_range = stream.color.libAVRange
    context.pointee.colorspace = stream.color.libAVMatrix
    context.pointee.time_base = AVRational(num: 1, den: 1_000_000)
    context.pointee.framerate = AVRational(
      num: Int32(clamping: rate.denominator), den: Int32(clamping: rate.numerator))
    // Key frames are asked for by time; this is for encoders that do not hear.
    context.pointee.gop_size = 60
    context.pointee.max_b_frames = 0
    context.pointee.thread_count = 0
    if let bitRate = stream.bitRate {
      context.pointee.bit_rate = Int64(bitRate)
    } else if name != "libx264" {
      let pixels = Double(stream.width * stream.height) * rate.framesPerSecond
      context.pointee.bit_rate = Int64(min(pixels * (0.02 + 0.18 * stream.quality), 1e9))
    } else {
      set("crf", "\(Int((46 - 32 * stream.quality).rounded()))")
    }
    if name == "libx264" {
      set("preset", "veryfast")
      set("tune", "zerolatency")
    }
    set("forced-idr", "1")
  }

  /// Options that an encoder does not have do no harm.
  private func set(_ option: String, _ value: String) {
    guard let options = context.pointee.priv_data else { return }
    av_opt_set(options, option, value, 0)
  }
}

// MARK: - Pictures

extension LibAVEncoder {
  /// Encodes a picture.
  ///
  /// - Parameters:
  ///   - pixels: Of the stream's size or larger, `.yuv420`.
  ///   - time: Microseconds, later than the one before.
  ///   - asKey: Whether it shall be decodable without others.
  /// - Returns: What has come out.
  /// - Throws: `cannotEncode`.
  func encode(_ pixels: PixelBuffer, at time: Int64, asKey: Bool) throws(MovieError) -> [Output] {
    guard av_frame_make_writable(frame) >= 0, copy(pixels) else {
      throw MovieError(.cannotEncode, "There is no memory left to encode a frame.")
    }
    frame.pointee.pts = time
    frame.pointee.pict_type = asKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    frame.pointee.color_range = context.pointee.color_range
    frame.pointee.colorspace = context.pointee.colorspace
    try check(avcodec_send_frame(context, frame))
    return try receive()
  }

  /// What the encoder has kept; it takes nothing more.
  func drain() throws(MovieError) -> [Output] {
    try check(avcodec_send_frame(context, nil))
    return try receive()
  }

  private func receive() throws(MovieError) -> [Output] {
    var outputs: [Output] = []
    while true {
      let result = avcodec_receive_packet(context, packet)
      if result == LibAVCalls.tryAgain || result == LibAVCalls.endOfFile { return outputs }
      try check(result)
      let bytes = UnsafeRawBufferPointer(
        start: packet.pointee.data, count: Int(max(packet.pointee.size, 0)))
      let isKey = packet.pointee.flags & AV_PKT_FLAG_KEY != 0
      outputs.append(Output(bytes: [UInt8](bytes), time: packet.pointee.pts, isKey: isKey))
      av_packet_unref(packet)
    }
  }

  private func check(_ result: Int32) throws(MovieError) {
    guard result < 0 else { return }
    throw MovieError(
      .cannotEncode, "\(name) cannot encode the frame: \(LibAVCalls.sentence(result)).")
  }

  /// Copies three planes into the encoder's own picture; false where one is too small.
  private func copy(_ pixels: PixelBuffer) -> Bool {
    let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
    guard pixels.format == .yuv420, pixels.width >= width, pixels.height >= height,
      pixels.layout.planes.count == 3
    else { return false }
    let strides = pixels.layout.planes.map { Int32(clamping: $0.bytesPerRow) }
    return pixels.withUnsafePlanes { planes in
      let targets = [
        (frame.pointee.data.0, frame.pointee.linesize.0),
        (frame.pointee.data.1, frame.pointee.linesize.1),
        (frame.pointee.data.2, frame.pointee.linesize.2),
      ]
      for (index, (target, stride)) in targets.enumerated() {
        guard let target, let source = planes[index].baseAddress else { return false }
        let (columns, rows) = index == 0 ? (width, height) : (width / 2, height / 2)
        av_image_copy_plane(
          target, stride, source.assumingMemoryBound(to: UInt8.self), strides[index],
          Int32(columns), Int32(rows))
      }
      return true
    }
  }
}
