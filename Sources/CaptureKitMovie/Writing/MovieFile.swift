import CaptureKitLinux
import Foundation
import Imaging

/// One movie being written: its container, its times and its limits. Used by one thread at a time.
///
/// What is written can be played up to a quarter of a second ago, whatever happens.
final class MovieFile {
  /// How often what was written is made playable, in the movie's time.
  private static let flushInterval = Duration.milliseconds(250)
  /// What waits for that at most, where stamps stand still or frames are large: containers keep
  /// it in memory.
  private static let flushFrameCount = 250
  private static let flushByteCount: Int64 = 32 << 20

  /// What a container adds to a frame.
  private static let sampleOverhead: Int64 = 24

  private let job: RecordingJob
  private let sink: MovieFileSink
  private var muxer: LibAVMuxer?
  private var upkeep: (any HeaderUpkeep)?
  private var timeline: MovieTimeline
  private var lastFlush = Duration.zero
  private var unflushedFrameCount = 0
  /// Whether the disk is to be asked for its room: as often as something is written to it.
  private var isRoomCheckDue = true
  /// Whether the next frame has to be one that can be decoded without others.
  private var needsKey = true
  /// Bytes since the last flush: containers keep frames back, some all, some a few.
  private var pendingByteCount: Int64 = 0
  private var flushedByteCount: Int64 = 0
  /// Bytes of the container's header, which is no movie alone.
  private var headerByteCount: Int64 = 0
  private(set) var frameCount: UInt64 = 0
  /// When the first frame was taken; nil before it.
  private(set) var startTime: HostTime?

  /// Makes the file.
  ///
  /// - Throws: `fileExists`, `notPermitted`, `diskFull`, `cannotWrite`; `minimumFreeDiskSpaceReached`
  ///   where there is too little room to begin with, and no file then.
  init(_ job: RecordingJob) throws(MovieError) {
    self.job = job
    timeline = MovieTimeline(
      timeBase: MovieTimeline.TimeBase(numerator: 1, denominator: 1000), frameDuration: nil)
    do {
      sink = try MovieFileSink(making: job.url.path)
    } catch {
      throw MovieError(error)
    }
    guard hasRoom else {
      sink.remove()
      throw job.error(.minimumFreeDiskSpaceReached).succeeding(false)
    }
  }

  var byteCount: Int64 { max(sink.byteCount, flushedByteCount + pendingByteCount) }
  /// Pauses left out, the last frame included.
  var duration: Duration { frameCount > 0 ? timeline.end : .zero }

  private var hasRoom: Bool {
    guard job.limits.freeByteCount != nil else { return true }
    return sink.freeByteCount.map { job.limits.leaves($0) } ?? true
  }

  /// Writes a frame; the first one begins the container.
  ///
  /// - Parameters:
  ///   - sample: The frame.
  ///   - track: What it belongs to.
  /// - Returns: Whether it is in the movie: those that cannot be decoded are not, and of AVI those
  ///   that are too many for its rate.
  /// - Throws: Which limit is reached, without the frame; what the disk says.
  func append(_ sample: MovieSample, of track: MovieTrack.Video) throws(MovieError) -> Bool {
    guard !needsKey || sample.isKey else { return false }
    let muxer = try muxer(of: track, from: sample.time)
    guard track.codec != .jpeg || timeline.hasRoom(for: sample.time) else { return false }
    try checkLimits(sample)
    let ticks = timeline.place(sample.time)
    try muxer.write(
      sample.bytes.bytes, track: 0, time: ticks, duration: timeline.usualTicks,
      isKey: sample.isKey)
    needsKey = false
    frameCount += 1
    startTime = startTime ?? sample.time
    pendingByteCount += Int64(sample.bytes.byteCount) + Self.sampleOverhead
    unflushedFrameCount += 1
    let time = timeline.timeBase.duration(ofTicks: ticks)
    if isFlushDue(at: time) {
      try flush()
      lastFlush = time
    }
    return true
  }

  private func isFlushDue(at time: Duration) -> Bool {
    time - lastFlush >= Self.flushInterval || unflushedFrameCount >= Self.flushFrameCount
      || pendingByteCount >= Self.flushByteCount
  }

  private func muxer(
    of track: MovieTrack.Video, from start: HostTime
  ) throws(MovieError) -> LibAVMuxer {
    if let muxer { return muxer }
    var track = track
    track.orientation = job.orientation
    let muxer = try LibAVMuxer(
      job.container, [MovieTrack(track)], createdAt: job.date(at: start), to: sink)
    self.muxer = muxer
    timeline = MovieTimeline(
      timeBase: muxer.timeBase(ofTrack: 0), frameDuration: track.frameDuration,
      largestGapTicks: job.container.largestGapTicks)
    upkeep = job.container.upkeep(of: sink.header)
    upkeep?.begin(sink)
    sink.noteWhole()
    headerByteCount = sink.byteCount
    return muxer
  }

  private func checkLimits(_ sample: MovieSample) throws(MovieError) {
    let end = timeline.timeBase.duration(
      ofTicks: timeline.preview(sample.time) + timeline.usualTicks)
    if let code = job.limits.broken(
      byEndAt: end, frameCount: frameCount, byteCount: byteCount,
      frameByteCount: sample.bytes.byteCount)
    {
      throw job.error(code)
    }
    guard isRoomCheckDue else { return }
    isRoomCheckDue = false
    if !hasRoom { throw job.error(.minimumFreeDiskSpaceReached) }
  }

  /// What follows comes directly after what was.
  func cut() {
    timeline.cut()
    needsKey = true
  }

  /// Hands all to the kernel that is still in memory.
  func flush() throws(MovieError) {
    guard unflushedFrameCount > 0, let muxer else { return }
    try muxer.flush()
    unflushedFrameCount = 0
    isRoomCheckDue = true
    pendingByteCount = 0
    flushedByteCount = sink.byteCount
    upkeep?.update(sink, duration: duration, tickCount: timeline.tickCount)
  }

  /// Completes the file.
  ///
  /// - Parameter error: Why the recording ends; nil where it was asked to.
  /// - Returns: Why it ended, and whether there is a movie to play.
  func finish(_ error: MovieError?) -> MovieError? {
    guard frameCount > 0, let muxer else {
      sink.remove()
      return error?.succeeding(false) ?? .noFrames(job.url.path)
    }
    if sink.failure == nil {
      do throws(MovieError) {
        try flush()
        try muxer.finish()
        flushedByteCount = sink.byteCount
        upkeep?.begin(sink)
        return error?.succeeding(true)
      } catch {
        return abandon(error)
      }
    }
    return abandon(error)
  }

  /// The rest cannot be written: what was whole before is the movie. Without a frame it is none, and
  /// has no file.
  private func abandon(_ error: MovieError?) -> MovieError? {
    sink.cutToWhole()
    (pendingByteCount, flushedByteCount) = (0, 0)
    let reason = sink.failure.map { MovieError($0) } ?? error
    guard sink.byteCount > headerByteCount else {
      sink.remove()
      return reason?.succeeding(false)
    }
    return reason?.succeeding(true)
  }
}

extension MovieContainer {
  /// Ticks from frame to frame at most: libavformat fills no larger gap of an AVI file.
  fileprivate var largestGapTicks: Int64 { self == .avi ? 60_000 : .max }
}

extension RecordingJob {
  /// The date of a moment that has just been: the movie's day is that of its first frame, also where
  /// that is a pre-roll's.
  func date(at time: HostTime) -> Date {
    Date(timeIntervalSinceNow: time.duration(to: clock.now) / .seconds(-1))
  }

  /// The sentence of a limit that was reached.
  func error(_ code: MovieError.Code) -> MovieError {
    let reason =
      switch code {
      case .maximumDurationReached: "it has the longest duration that was allowed"
      case .maximumFileSizeReached: "it has the largest size that was allowed"
      default: "its disk has no more free space than is to be left: make room"
      }
    return MovieError(code, "\(url.path) was ended: \(reason).", recordingSucceeded: true)
  }
}
