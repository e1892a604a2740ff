import CLibAV
import CaptureKitLinux
import Imaging

/// A movie's packets, by libavformat.
///
/// The library gets bytes of this one file alone: it is given no protocol, and its wish to open
/// something else, which playlists and files of references have, is refused.
final class LibAVDemuxerBridge {
  /// The kinds of files that are read, by libavformat's names: no playlists, no pictures, no devices.
  private static let containers = "matroska,webm,mov,mp4,avi,mpegts"
  /// Bytes that may be read to open a file, and one more for so many of the file's: indexes grow with
  /// it.
  private static let openingByteCount = 64 << 20
  private static let openingShare = 16
  private static let mostOpeningByteCount = 1 << 29

  private let input: LibAVInputBridge
  let file: MovieInputFile
  private(set) var context: UnsafeMutablePointer<AVFormatContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private(set) var stream: UnsafeMutablePointer<AVStream>?

  private init(_ input: LibAVInputBridge, _ file: MovieInputFile) {
    self.input = input
    self.file = file
  }

  var path: String { file.path }

  deinit {
    av_packet_free(&packet)
    avformat_close_input(&context)
  }

  /// Opens a movie and finds its pictures.
  ///
  /// - Throws: `.notAMovie`, `.unsupportedCodec`, `.tooLarge`, `.corrupt`, `.cannotRead`.
  static func open(
    _ file: MovieInputFile, _ cancellation: MovieCancellation, _ limits: Image.Limits
  ) throws(MovieError) -> LibAVDemuxerBridge {
    let demuxer = try opened(file, cancellation)
    try demuxer.choosePictures()
    try demuxer.check(limits)
    try demuxer.findStreamInfo(limits)
    try demuxer.check(limits)
    return demuxer
  }

  /// Opens a movie for what its container says of the whole; finds no pictures.
  static func opened(
    _ file: MovieInputFile, _ cancellation: MovieCancellation
  ) throws(MovieError) -> LibAVDemuxerBridge {
    LibAVCalls.silenced
    func opened(_ byteCount: Int) throws(MovieError) -> LibAVDemuxerBridge {
      let input = LibAVInputBridge(file, byteCount, cancellation)
      let demuxer = LibAVDemuxerBridge(input, file)
      input.allow(min(openingByteCount + byteCount / openingShare, mostOpeningByteCount))
      try demuxer.openContainer()
      return demuxer
    }
    do throws(MovieError) {
      return try opened(file.byteCount)
    } catch {
      // The last fragment may be cut off.
      guard error.code == .notAMovie, let end = InterruptedFile(file).brokenFragmentPlace else {
        throw error
      }
      return try opened(end)
    }
  }

  private func openContainer() throws(MovieError) {
    packet = av_packet_alloc()
    var opened = avformat_alloc_context()
    guard packet != nil, let bytes = input.context, let own = opened else {
      avformat_free_context(opened)
      throw .hasNoMemory(path)
    }
    own.pointee.pb = bytes
    own.pointee.io_open = { _, _, _, _, _ in ck_av_refused }
    own.pointee.max_analyze_duration = 5 * Int64(AV_TIME_BASE)
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    av_dict_set(&options, "format_whitelist", Self.containers, 0)
    av_dict_set(&options, "codec_whitelist", LibAVCodecBridge.decoderNames, 0)
    av_dict_set(&options, "protocol_whitelist", "none", 0)
    // A failed one has freed its context.
    let status = avformat_open_input(&opened, nil, nil, &options)
    guard status >= 0 else { throw openingError(status) }
    context = opened
  }

  private func openingError(_ status: Int32) -> MovieError {
    if let failure = input.failure { return .cannotOpen(failure) }
    if input.isExhausted { return .takesTooLong(path) }
    return status == ck_av_no_memory ? .hasNoMemory(path) : .isNoMovie(path)
  }

  /// Chooses the moving pictures; the covers of songs are none.
  private func choosePictures() throws(MovieError) {
    guard let context else { throw .isNoMovie(path) }
    let streams = (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0] }
    let pictures = streams.filter {
      $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    }
    guard
      let chosen = pictures.first(where: { $0.pointee.disposition & AV_DISPOSITION_DEFAULT != 0 })
        ?? pictures.first
    else { throw .hasNoPictures(path) }
    for other in streams where other != chosen { other.pointee.discard = AVDISCARD_ALL }
    stream = chosen
    guard LibAVCodecBridge.isRead(chosen.pointee.codecpar.pointee.codec_id) else {
      throw .cannotDecode(path, LibAVCodecBridge.name(of: chosen.pointee.codecpar.pointee.codec_id))
    }
  }

  /// Refuses what the file declares before anything is decoded.
  private func check(_ limits: Image.Limits) throws(MovieError) {
    guard let parameters = stream?.pointee.codecpar else { throw .isNoMovie(path) }
    let (width, height) = (Int(parameters.pointee.width), Int(parameters.pointee.height))
    let limit = LibAVCodecBridge.pixelLimit(of: parameters.pointee.codec_id, limits)
    guard width >= 0, height >= 0 else { throw .hasOddSize(path) }
    guard VideoDimensions(width: width, height: height).pixelCount <= limit else {
      throw .isTooLarge(path, width, height, limit)
    }
  }

  /// Reads as far as is needed to know what the packets' headers say.
  private func findStreamInfo(_ limits: Image.Limits) throws(MovieError) {
    guard let context, let codec = stream?.pointee.codecpar.pointee.codec_id else {
      throw .isNoMovie(path)
    }
    let limit = LibAVCodecBridge.pixelLimit(of: codec, limits)
    let count = Int(context.pointee.nb_streams)
    var options = [OpaquePointer?](repeating: nil, count: count)
    for index in 0..<count {
      av_dict_set(&options[index], "max_pixels", String(limit), 0)
      av_dict_set(&options[index], "threads", "1", 0)
    }
    let status = avformat_find_stream_info(context, &options)
    for index in 0..<count { av_dict_free(&options[index]) }
    guard status >= 0 else { throw openingError(status) }
  }
}

// MARK: - Packets

extension LibAVDemuxerBridge {
  /// What there was to read.
  enum Reading { case packet, end, cutOff, damage }

  /// Allows so many bytes for what follows.
  func allow(_ byteCount: Int) { input.allow(byteCount) }

  /// Whether reading ended because more would have been read than is allowed.
  var isExhausted: Bool { input.isExhausted }

  /// Reads the next packet of the pictures.
  ///
  /// - Throws: `.cannotRead` where the file system refused.
  func readPacket() throws(MovieError) -> Reading {
    guard let context, let packet, let stream else { return .end }
    while true {
      av_packet_unref(packet)
      let status = av_read_frame(context, packet)
      if status >= 0 {
        if packet.pointee.stream_index == stream.pointee.index { return .packet }
        continue
      }
      if let failure = input.failure { throw .cannotOpen(failure) }
      if input.isExhausted { throw .takesTooLong(path) }
      switch status {
      case LibAVCalls.endOfFile, ck_av_cancelled: return .end
      default: return context.pointee.pb.pointee.eof_reached != 0 ? .cutOff : .damage
      }
    }
  }

  /// Lends the packet that was read last.
  func withPacket<Value>(_ body: (UnsafeMutablePointer<AVPacket>) -> Value) -> Value? {
    packet.map(body)
  }

  /// Whether the end of the packet that was read last is missing, or it is otherwise not whole.
  var isPacketDamaged: Bool {
    packet.map { $0.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 } ?? false
  }

  /// When the packet's picture is shown and how long, in the stream's units.
  var packetTimes: (start: Int64, length: Int64)? {
    guard let packet else { return nil }
    let time = packet.pointee.pts == LibAVCalls.noTime ? packet.pointee.dts : packet.pointee.pts
    return time == LibAVCalls.noTime ? nil : (time, max(packet.pointee.duration, 0))
  }

  /// Goes to the last key frame that is not after a time, as far as the file knows.
  ///
  /// - Returns: false where the file cannot tell; it stands anywhere then.
  func seek(to time: Int64) -> Bool {
    guard let context, let stream else { return false }
    return av_seek_frame(context, stream.pointee.index, time, AVSEEK_FLAG_BACKWARD) >= 0
  }

  /// Makes a place in the file known, at which packets begin that are decoded from this time on.
  func addIndexEntry(_ time: Int64, atByte offset: Int) {
    guard let stream else { return }
    av_add_index_entry(stream, Int64(offset), time, 0, 0, AVINDEX_KEYFRAME)
  }

  /// When the index has its last key frame that is not after a time; nil where it has none.
  func keyFrameTime(before time: Int64) -> Int64? {
    guard let stream else { return nil }
    let place = av_index_search_timestamp(stream, time, AVSEEK_FLAG_BACKWARD)
    guard place >= 0, let entry = avformat_index_get_entry(stream, place) else { return nil }
    return entry.pointee.timestamp
  }
}
