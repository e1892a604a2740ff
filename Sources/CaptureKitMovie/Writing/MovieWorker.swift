import CaptureKitLinux
import Foundation
import Synchronization

/// The writer's own side: coder, pre-roll and file, which no other thread sees.
final class MovieWorker {
  /// A recording under way.
  struct Recording {
    let job: RecordingJob
    let file: MovieFile
    var isPaused = false
  }

  let engine: MovieEngine
  private var coder: (any FrameCoder)?
  private var coding: FrameCoding?
  private var ring: PreRollRing?
  private var recording: Recording?

  init(_ engine: MovieEngine) { self.engine = engine }

  /// Works until there is nothing more to do.
  func run() {
    while let work = engine.next() {
      switch work {
      case .frame(let frame): take(frame)
      case .order(let order): follow(order)
      case .idle: flush()
      }
    }
  }

  // MARK: Orders

  private func follow(_ order: MovieEngine.Order) {
    switch order {
    case .begin(let job): begin(job)
    case .pause:
      guard let job = recording?.job else { return }
      recording?.isPaused = true
      flush()
      // The disk may have ended it.
      if recording != nil { engine.tell(.paused, job.handler) }
    case .resume:
      guard let recording else { return }
      self.recording?.isPaused = false
      recording.file.cut()
      coder?.restart()
      engine.tell(.resumed, recording.job.handler)
    case .end(let error): end(error)
    case .forgetPreRoll:
      ring?.removeAll()
      if recording == nil { (coder, coding) = (nil, nil) }
    }
  }

  private func begin(_ job: RecordingJob) {
    do throws(MovieError) {
      recording = Recording(job: job, file: try MovieFile(job))
    } catch {
      return conclude(job, nil, error)
    }
    // The pre-roll's frames are the movie's first; without one a new coder begins it.
    guard var ring, !ring.isEmpty else {
      coder?.restart()
      return
    }
    for sample in ring.take() where recording != nil { write(sample) }
    self.ring = ring
  }

  /// Ends the recording for a reason that was met here.
  private func fail(_ error: MovieError) {
    guard engine.state.withLock({ $0.machine.end(error) }) else { return }
    end(error)
  }

  private func end(_ error: MovieError?) {
    guard let recording else { return }
    // What an encoder has kept back belongs to the movie.
    if let samples = try? coder?.drain() {
      for sample in samples where !recording.isPaused { write(sample, isLast: true) }
    }
    (coder, coding) = (nil, nil)
    self.recording = nil
    engine.tell(.willFinish(error), recording.job.handler)
    conclude(recording.job, recording.file, recording.file.finish(error))
  }

  /// Closes the books of a recording, so that the next may begin, and tells its last event.
  private func conclude(_ job: RecordingJob, _ file: MovieFile?, _ error: MovieError?) {
    let statistics = engine.state.withLock { state -> MovieStatistics in
      _ = state.machine.finished()
      state.statistics.byteCount = file?.byteCount ?? 0
      state.statistics.duration = file?.duration ?? .zero
      if let error { state.lastError = error }
      return state.statistics
    }
    let movie = RecordedMovie(
      url: job.url, container: job.container, startTime: file?.startTime, statistics: statistics,
      error: error)
    engine.tell(.finished(movie), job.handler)
  }

  /// There is no thread: what was asked for ends at once.
  func refuseAll(_ error: MovieError) {
    while case .order(let order)? = engine.takeQueued() {
      guard case .begin(let job) = order else { continue }
      conclude(job, nil, error)
    }
  }

  // MARK: Frames

  private func take(_ frame: CapturedFrame) {
    let (settings, bounds) = engine.state.withLock { ($0.settings, $0.preRoll) }
    if recording == nil { setPreRoll(bounds) }
    guard recording.map({ !$0.isPaused }) ?? (ring != nil) else { return }
    do {
      let coder = try coder(for: frame, settings)
      for sample in try coder.code(frame) {
        if recording != nil { write(sample) } else { ring?.append(sample.detached) }
      }
    } catch let refusal as FrameRefusal {
      engine.state.withLock { state in
        if state.machine.isRecording { state.statistics.note(refusal.reason) }
      }
    } catch {
      meet(error as? MovieError ?? MovieError(.cannotEncode, "\(error)"))
    }
  }

  /// Frames cannot be coded.
  private func meet(_ error: MovieError) {
    if recording != nil { return fail(error) }
    ring?.removeAll()
    (coder, coding) = (nil, nil)
    engine.state.withLock { $0.lastError = error }
  }

  private func setPreRoll(_ bounds: MoviePreRoll?) {
    guard let bounds else { return ring = nil }
    if ring == nil { ring = PreRollRing(bounds) }
    if ring?.bounds != bounds { ring?.setBounds(bounds) }
  }

  private func coder(
    for frame: CapturedFrame, _ settings: MovieSettings
  ) throws(MovieError) -> any FrameCoder {
    let wanted = FrameCoding(frame, recording == nil ? settings : coding?.settings ?? settings)
    if let coder, let coding {
      if coding == wanted { return coder }
      // A movie that has begun keeps its coder.
      if let recording, recording.file.frameCount > 0 {
        throw .formatChanged(recording.job.url.path)
      }
    }
    ring?.removeAll()
    let made = try wanted.coder(for: frame, encoder: LibAVEncoder.installed)
    (coder, coding) = (made, wanted)
    return made
  }

  private func write(_ sample: MovieSample, isLast: Bool = false) {
    guard let recording, let track = coder?.track else { return }
    do throws(MovieError) {
      let isFirst = recording.file.frameCount == 0
      guard try recording.file.append(sample, of: track) else {
        if !isFirst { engine.state.withLock { $0.statistics.note(.late) } }
        return
      }
      note(recording.file, track)
      if isFirst { tellStart(of: recording, at: sample) }
    } catch {
      if !isLast { fail(error) }
    }
  }

  private func note(_ file: MovieFile, _ track: MovieTrack.Video) {
    let (byteCount, duration, frameCount) = (file.byteCount, file.duration, file.frameCount)
    let encoder = coder?.encoder
    engine.state.withLock { state in
      state.statistics.writtenFrameCount = frameCount
      state.statistics.byteCount = byteCount
      state.statistics.duration = duration
      guard state.statistics.codec == nil else { return }
      state.statistics.codec = track.codec
      state.statistics.encoder = encoder
    }
  }

  private func tellStart(of recording: Recording, at sample: MovieSample) {
    guard engine.state.withLock({ $0.machine.wroteFirstFrame() }) else { return }
    engine.tell(.started(sample.time), recording.job.handler)
  }

  private func flush() {
    do throws(MovieError) {
      try recording?.file.flush()
    } catch {
      fail(error)
    }
  }
}

extension MovieError {
  fileprivate static func formatChanged(_ path: String) -> MovieError {
    MovieError(
      .formatChanged,
      "\(path) was ended: the camera sends frames of another format now. Begin another recording.",
      recordingSucceeded: true)
  }
}
