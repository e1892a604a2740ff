import CLibAV
import CaptureKitLinux
import Foundation
import Imaging

extension LibAVDemuxerBridge {
  /// What the file says of its pictures.
  ///
  /// - Throws: `.corrupt` where it does not say how large they are.
  func facts() throws(MovieError) -> MovieFacts {
    guard let context, let stream, let parameters = stream.pointee.codecpar,
      let timeBase = MovieTimeBase(
        numerator: Int(stream.pointee.time_base.num), denominator: Int(stream.pointee.time_base.den)
      )
    else { throw .isNoMovie(path) }
    let size = VideoDimensions(
      width: Int(parameters.pointee.width), height: Int(parameters.pointee.height))
    guard size.width > 0, size.height > 0 else { throw .hasOddSize(path) }
    let start = stream.pointee.start_time
    var facts = MovieFacts(
      container: container(of: context),
      codec: LibAVCodecBridge.type(of: parameters.pointee.codec_id),
      codedSize: size, orientation: orientation(of: stream), timeBase: timeBase,
      start: start == LibAVCalls.noTime ? 0 : start)
    let isCompleted = isCompleted(facts.container)
    facts.length = isCompleted ? length(context, stream, facts) : nil
    let aspect = av_guess_sample_aspect_ratio(context, stream, nil)
    // Nobody films with pixels that are a hundred times as wide as high.
    if aspect.num > 0, aspect.den > 0, aspect.num / aspect.den < 100, aspect.den / aspect.num < 100
    {
      facts.pixelAspect = .init(width: Int(aspect.num), height: Int(aspect.den))
    }
    facts.framesPerSecond = rate(stream.pointee.avg_frame_rate) ?? rate(stream.pointee.r_frame_rate)
    facts.frameCount =
      isCompleted && stream.pointee.nb_frames > 0 ? Int(stream.pointee.nb_frames) : nil
    facts.creationDate = creationDate
    return facts
  }

  /// When the movie was recorded, as the file says; known as soon as it is open.
  var creationDate: Date? {
    guard let metadata = context?.pointee.metadata else { return nil }
    // QuickTime's stays what it is where a program cuts the movie; the other may be of that.
    return ["com.apple.quicktime.creationdate", "creation_time"].lazy
      .compactMap { self.text($0, in: metadata).flatMap { MovieDate.date($0) } }.first
  }

  private func container(of context: UnsafeMutablePointer<AVFormatContext>) -> MovieContainer {
    let name = context.pointee.iformat.flatMap { $0.pointee.name }.map { String(cString: $0) } ?? ""
    switch name.split(separator: ",").first {
    case "matroska": return .matroska
    case "avi": return .avi
    case "mpegts": return .mpegTransportStream
    default: break
    }
    let brand = text("major_brand", in: context.pointee.metadata)
    // Files from before there were brands are QuickTime's.
    return brand.map { !$0.hasPrefix("qt") } ?? false ? .mp4 : .quickTime
  }

  /// What the display matrix says; of Matroska, for which the library has none, our own tag.
  private func orientation(of stream: UnsafeMutablePointer<AVStream>) -> ImageOrientation {
    if let numbers = ck_av_display_matrix(stream) {
      return DisplayMatrix(Array(UnsafeBufferPointer(start: numbers, count: 9)))?.orientation ?? .up
    }
    return text(DisplayMatrix.orientationTag, in: stream.pointee.metadata).flatMap { Int($0) }
      .flatMap(ImageOrientation.init(rawValue:)) ?? .up
  }

  private func text(_ name: String, in metadata: OpaquePointer?) -> String? {
    av_dict_get(metadata, name, nil, 0).flatMap { $0.pointee.value }.map { String(cString: $0) }
  }

  /// From the first frame to the end, in the stream's units; nil where the library only guesses.
  private func length(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ stream: UnsafeMutablePointer<AVStream>,
    _ facts: MovieFacts
  ) -> Int64? {
    if context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE { return nil }
    // Matroska's is that of the file, which begins at 0.
    if facts.container == .matroska {
      let whole = context.pointee.duration
      guard whole > 0,
        let microseconds = MovieTimeBase(numerator: 1, denominator: Int(AV_TIME_BASE))
      else { return nil }
      let end = facts.timeBase.ticks(in: microseconds.duration(ofTicks: whole))
      let (length, overflow) = end.subtractingReportingOverflow(facts.start)
      return overflow || length <= 0 ? nil : length
    }
    let own = stream.pointee.duration
    return own > 0 ? own : nil
  }

  /// Whether what the header says of lengths was written when all was recorded.
  private func isCompleted(_ container: MovieContainer) -> Bool {
    container != .avi || InterruptedFile(file).hasAVIIndex
  }

  private func rate(_ rate: AVRational) -> Double? {
    guard rate.num > 0, rate.den > 0 else { return nil }
    return Double(rate.num) / Double(rate.den)
  }
}
