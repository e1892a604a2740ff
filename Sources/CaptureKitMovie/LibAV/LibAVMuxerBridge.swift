import CLibAV
import CaptureKitLinux
import Foundation
import Imaging
import LinuxSystem

/// Puts coded frames into a container by libavformat, whose bytes go to a file's sink.
///
/// Used by one thread at a time.
final class LibAVMuxer {
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let packet: UnsafeMutablePointer<AVPacket>
  private let sink: MovieFileSink
  private let trackCount: Int
  private var isBegun = false

  private static let bufferByteCount = 1 << 16

  /// Writes the container's header.
  ///
  /// - Parameters:
  ///   - container: How frames are to lie.
  ///   - tracks: What there is, in the order of the numbers that samples name.
  ///   - creationDate: When the first sample was taken. AVI has no place for it.
  ///   - sink: Where bytes go.
  /// - Throws: `unsupportedContainer` where the library was built without it, `cannotWrite`.
  init(
    _ container: MovieContainer, _ tracks: [MovieTrack], createdAt creationDate: Date,
    to sink: MovieFileSink
  ) throws(MovieError) {
    _ = LibAVCalls.silenced
    var made: UnsafeMutablePointer<AVFormatContext>?
    avformat_alloc_output_context2(&made, nil, container.libAVName, nil)
    guard let made else { throw .missingContainer(container, sink.path) }
    guard let packet = av_packet_alloc() else {
      avformat_free_context(made)
      throw MovieError(.cannotWrite, "There is no memory left to write \(sink.path).")
    }
    context = made
    self.packet = packet
    self.sink = sink
    trackCount = tracks.count
    try open()
    for track in tracks { try add(track, in: container) }
    if container != .avi, let date = MovieDate.text(creationDate) {
      av_dict_set(&context.pointee.metadata, "creation_time", date, 0)
    }
    try begin(container)
  }

  deinit {
    if let io = context.pointee.pb {
      av_free(io.pointee.buffer)
      avio_context_free(&context.pointee.pb)
    }
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
    avformat_free_context(context)
  }

  private func open() throws(MovieError) {
    let buffer = av_malloc(Self.bufferByteCount)?.assumingMemoryBound(to: UInt8.self)
    let io = avio_alloc_context(
      buffer, Int32(Self.bufferByteCount), 1, Unmanaged.passUnretained(sink).toOpaque(), nil,
      { opaque, bytes, count in
        guard let opaque, let bytes, count > 0 else { return 0 }
        let sink = Unmanaged<MovieFileSink>.fromOpaque(opaque).takeUnretainedValue()
        let span = RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        return sink.write(span) ? count : -(sink.failure?.errno.rawValue ?? EIO)
      },
      { opaque, offset, whence in
        guard let opaque else { return -1 }
        let sink = Unmanaged<MovieFileSink>.fromOpaque(opaque).takeUnretainedValue()
        return sink.libAVSeek(offset, whence & ~AVSEEK_FORCE)
      })
    guard let io else {
      av_free(buffer)
      throw MovieError(.cannotWrite, "There is no memory left to write \(sink.path).")
    }
    // Whole frames and clusters go straight to the file.
    io.pointee.direct = 1
    context.pointee.pb = io
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    context.pointee.flush_packets = 0
  }

  private func begin(_ container: MovieContainer) throws(MovieError) {
    var options: OpaquePointer?
    for (name, value) in container.libAVOptions { av_dict_set(&options, name, value, 0) }
    let result = avformat_write_header(context, &options)
    av_dict_free(&options)
    avio_flush(context.pointee.pb)
    try check(result)
    isBegun = true
  }

  /// - Throws: Why the file could not be written, else what the library says.
  private func check(_ result: Int32) throws(MovieError) {
    if let failure = sink.failure { throw MovieError(failure) }
    guard result < 0 else { return }
    throw MovieError(
      .cannotWrite, "\(sink.path) cannot be written: \(LibAVCalls.sentence(result)).")
  }
}

// MARK: - Tracks

extension LibAVMuxer {
  private func add(_ track: MovieTrack, in container: MovieContainer) throws(MovieError) {
    guard let stream = avformat_new_stream(context, nil),
      let parameters = stream.pointee.codecpar
    else { throw MovieError(.cannotWrite, "There is no memory left to write \(sink.path).") }
    let video = track.video
    let rate = video.frameDuration ?? .thirtieth
    let (numerator, denominator) = (
      Int32(clamping: rate.numerator), Int32(clamping: rate.denominator)
    )
    parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
    parameters.pointee.codec_id = video.codec == .h264 ? AV_CODEC_ID_H264 : AV_CODEC_ID_MJPEG
    parameters.pointee.width = Int32(clamping: video.width)
    parameters.pointee.height = Int32(clamping: video.height)
    if let color = video.color {
      parameters.pointee.color_range = color.libAVRange
      parameters.pointee.color_space = color.libAVMatrix
    }
    try set(video.parameterSets, in: parameters)
    if video.frameDuration != nil || container == .avi {
      stream.pointee.avg_frame_rate = AVRational(num: denominator, den: numerator)
    }
    stream.pointee.time_base =
      container == .avi
      ? AVRational(num: numerator, den: denominator) : AVRational(num: 1, den: 90_000)
    if video.orientation != .up { say(video, of: stream, in: container) }
  }

  /// H.264's parameter sets, which the container's own form is made of.
  private func set(
    _ bytes: [UInt8], in parameters: UnsafeMutablePointer<AVCodecParameters>
  ) throws(MovieError) {
    guard !bytes.isEmpty else { return }
    guard let memory = av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
      throw MovieError(.cannotWrite, "There is no memory left to write \(sink.path).")
    }
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    parameters.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    parameters.pointee.extradata_size = Int32(bytes.count)
  }

  /// Says how pictures are turned, in the container's way; AVI has none.
  private func say(
    _ video: MovieTrack.Video, of stream: UnsafeMutablePointer<AVStream>,
    in container: MovieContainer
  ) {
    switch container {
    case .mp4, .quickTime:
      let matrix = DisplayMatrix(video.orientation, width: video.width, height: video.height)
      let byteCount = matrix.elements.count * MemoryLayout<Int32>.size
      av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, byteCount)
        .map { UnsafeMutableRawPointer($0).copyMemory(from: matrix.elements, byteCount: byteCount) }
    case .matroska:
      av_dict_set(
        &stream.pointee.metadata, DisplayMatrix.orientationTag, "\(video.orientation.rawValue)", 0)
      var size = 0
      guard let sphere = av_spherical_alloc(&size) else { return }
      let pose = DisplayMatrix.pose(of: video.orientation)
      // The library writes a pose of such pictures alone; `MatroskaHeader` makes them flat.
      sphere.pointee.projection = AV_SPHERICAL_EQUIRECTANGULAR
      sphere.pointee.yaw = pose.yaw << 16
      sphere.pointee.roll = pose.roll << 16
      if av_stream_add_side_data(stream, AV_PKT_DATA_SPHERICAL, sphere, size) < 0 {
        av_free(sphere)
      }
    default: break
    }
  }

  /// What times of a track count in.
  func timeBase(ofTrack track: Int) -> MovieTimeline.TimeBase {
    guard track < trackCount, let stream = context.pointee.streams?[track] else {
      return MovieTimeline.TimeBase(numerator: 1, denominator: 1000)
    }
    let base = stream.pointee.time_base
    return MovieTimeline.TimeBase(
      numerator: Int64(max(base.num, 1)), denominator: Int64(max(base.den, 1)))
  }
}

// MARK: - Samples

extension LibAVMuxer {
  /// Puts a sample into the container, which may keep it in memory until `flush`.
  ///
  /// - Parameters:
  ///   - bytes: The coded frame.
  ///   - track: Its track's number.
  ///   - time: In the track's ticks; later than the one before.
  ///   - duration: In ticks.
  ///   - isKey: Whether it can be decoded without others.
  /// - Throws: Why the file could not be written.
  func write(
    _ bytes: RawSpan, track: Int, time: Int64, duration: Int64, isKey: Bool
  ) throws(MovieError) {
    let result = bytes.withUnsafeBytes { memory -> Int32 in
      // The library reads it only; nobody but it is told that it may write.
      packet.pointee.data = UnsafeMutablePointer(
        mutating: memory.baseAddress?.assumingMemoryBound(to: UInt8.self))
      packet.pointee.size = Int32(clamping: memory.count)
      packet.pointee.stream_index = Int32(clamping: track)
      packet.pointee.pts = time
      packet.pointee.dts = time
      packet.pointee.duration = duration
      packet.pointee.flags = isKey ? AV_PKT_FLAG_KEY : 0
      defer { av_packet_unref(packet) }
      return trackCount > 1
        ? av_interleaved_write_frame(context, packet) : av_write_frame(context, packet)
    }
    try check(result)
  }

  /// Hands all that the container keeps to the kernel: the file can be played up to here.
  func flush() throws(MovieError) {
    let result = av_write_frame(context, nil)
    avio_flush(context.pointee.pb)
    try check(result)
    sink.noteWhole()
  }

  /// Writes what makes the file complete.
  func finish() throws(MovieError) {
    guard isBegun else { return }
    isBegun = false
    let result = av_write_trailer(context)
    avio_flush(context.pointee.pb)
    try check(result)
    sink.noteWhole()
  }
}

extension MovieFileSink {
  fileprivate func libAVSeek(_ offset: Int64, _ whence: Int32) -> Int64 {
    if whence == AVSEEK_SIZE { return byteCount }
    let origin: Int64 =
      switch whence {
      case SEEK_SET: 0
      case SEEK_CUR: place
      default: byteCount
      }
    let (target, overflow) = origin.addingReportingOverflow(offset)
    return !overflow && seek(to: target) ? target : Int64(-EINVAL)
  }
}

extension MovieContainer {
  fileprivate var libAVName: String {
    switch self {
    case .matroska: "matroska"
    case .quickTime: "mov"
    default: rawValue
    }
  }

  fileprivate var libAVOptions: [(String, String)] {
    switch self {
    // The writer ends clusters itself; a checksum would not survive `MatroskaHeader`.
    case .matroska: [("write_crc32", "0")]
    case .mp4, .quickTime:
      [
        ("movflags", "empty_moov+default_base_moof+frag_custom"),
        ("video_track_timescale", "90000"),
      ]
    default: []
    }
  }
}

extension MovieError {
  fileprivate static func missingContainer(
    _ container: MovieContainer, _ path: String
  ) -> MovieError {
    MovieError(
      .unsupportedContainer,
      "\(path) cannot be written: the installed libavformat has no \(container) files.")
  }
}
