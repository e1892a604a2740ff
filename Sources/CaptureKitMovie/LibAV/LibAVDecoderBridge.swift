import CLibAV
import Foundation
import Imaging

/// Pictures of a movie's packets, by libavcodec.
final class LibAVDecoderBridge {
  /// Frames up to this size are decoded by several threads, each of which keeps a frame more.
  private static let pixelCountForThreads = 9_000_000

  private let path: String
  private var context: UnsafeMutablePointer<AVCodecContext>?

  /// Prepares for the pictures that a demuxer found.
  ///
  /// - Throws: `.unsupportedCodec` where there is no decoder, `.tooLarge` where there is no memory.
  init(_ demuxer: LibAVDemuxerBridge, path: String, _ limits: Image.Limits) throws(MovieError) {
    self.path = path
    guard let stream = demuxer.stream, let parameters = stream.pointee.codecpar else {
      throw .isNoMovie(path)
    }
    let codec = parameters.pointee.codec_id
    guard let decoder = avcodec_find_decoder(codec) else {
      throw .cannotDecode(path, LibAVCodecBridge.name(of: codec))
    }
    context = avcodec_alloc_context3(decoder)
    guard let context, avcodec_parameters_to_context(context, parameters) >= 0 else {
      avcodec_free_context(&self.context)
      throw .hasNoMemory(path)
    }
    let pixelCount = Int(parameters.pointee.width) * Int(parameters.pointee.height)
    context.pointee.pkt_timebase = stream.pointee.time_base
    context.pointee.max_pixels = Int64(LibAVCodecBridge.pixelLimit(of: codec, limits))
    context.pointee.thread_count =
      pixelCount <= Self.pixelCountForThreads
      ? Int32(min(4, ProcessInfo.processInfo.activeProcessorCount)) : 1
    guard avcodec_open2(context, decoder, nil) >= 0 else {
      avcodec_free_context(&self.context)
      throw .cannotDecode(path, LibAVCodecBridge.name(of: codec))
    }
  }

  deinit { avcodec_free_context(&context) }

  /// What came of it.
  enum Decoding { case frame(LibAVFrameBridge), needsPacket, end, damage }

  /// The next picture in the order in which they are shown.
  func receive() -> Decoding {
    guard let context, let frame = LibAVFrameBridge() else { return .end }
    switch frame.receive(from: context) {
    case 0...: return .frame(frame)
    case LibAVCalls.tryAgain: return .needsPacket
    case LibAVCalls.endOfFile: return .end
    default: return .damage
    }
  }

  /// Takes the packet that the demuxer has read last.
  ///
  /// - Returns: false where it is damaged.
  func send(_ demuxer: LibAVDemuxerBridge) -> Bool {
    guard let context else { return false }
    return demuxer.withPacket { avcodec_send_packet(context, $0) >= 0 } ?? false
  }

  /// No packets follow: the pictures that are held back are to come.
  func drain() {
    if let context { avcodec_send_packet(context, nil) }
  }

  /// Forgets what came before: packets of another place follow.
  func flush() {
    if let context { avcodec_flush_buffers(context) }
  }
}
