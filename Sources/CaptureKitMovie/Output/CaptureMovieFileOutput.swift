public import CaptureKitLinux
public import Foundation
import Imaging
import Synchronization

/// Records movies; Apple's `AVCaptureMovieFileOutput`.
///
/// One core, three forms: a delegate as on Apple's systems, a closure, and async.
///
/// ```swift
/// let movie = CaptureMovieFileOutput()
/// try session.add(movie)
/// let recording = try await movie.startRecording(to: URL(filePath: "party.mkv"))
/// let recorded = try await recording.stop()
/// ```
///
/// What the camera compresses is recorded as it is; raw frames are encoded. A movie can be played
/// whenever the process dies, up to the last quarter of a second. A disk or an encoder that does not keep
/// up costs frames, which are counted, and never holds up the camera. Movies are silent. All
/// members may be used from any thread. See <doc:recording-movies>.
public final class CaptureMovieFileOutput: CaptureOutput {
  let engine = MovieEngine()
  let links = Mutex(Links())

  /// What the session has told of itself.
  struct Links {
    var connections: [CaptureConnection] = []
  }

  /// Makes an output that is not connected yet: add it to a session.
  public init() {}

  deinit { engine.abandon() }

  /// The connections from the session's cameras.
  public var connections: [CaptureConnection] { links.withLock { $0.connections } }

  /// The connection from the session's first camera; nil before there is one.
  public func connection(with mediaType: MediaType) -> CaptureConnection? {
    mediaType == .video ? connections.first : nil
  }
}

// MARK: - What movies are like

extension CaptureMovieFileOutput {
  /// What frames are coded as; ``MovieSettings/automatic`` until set.
  ///
  /// Takes effect with the next recording; a pre-roll begins anew. A codec that is not available
  /// changes nothing and is kept in ``lastError``; ``setSettings(_:)`` throws it.
  public var settings: MovieSettings {
    get { engine.state.withLock { $0.settings } }
    set {
      do {
        try setSettings(newValue)
      } catch {
        note(error)
      }
    }
  }

  /// Sets what frames are coded as.
  ///
  /// - Parameter settings: From the next recording on.
  /// - Throws: ``MovieError`` with the code `unsupportedCodec` for all but ``availableVideoCodecTypes``
  ///   and, since a camera may send it, H.264.
  public func setSettings(_ settings: MovieSettings) throws {
    if let codec = settings.codec, codec != .jpeg, codec != .h264 {
      throw MovieError.unknownCodec(codec)
    }
    engine.perform { $0.settings = settings }
  }

  /// What raw frames can be encoded as: JPEG, and H.264 where libavcodec has an encoder that works
  /// here.
  public var availableVideoCodecTypes: [VideoCodecType] {
    LibAVEncoder.installed == nil ? [.jpeg] : [.h264, .jpeg]
  }

  /// What the camera shows before a recording begins is kept to begin its movie; nil, as it is
  /// until set, for nothing.
  ///
  /// It is kept from now on while the session runs; what a movie has already is not in the next
  /// one. ``CaptureFileOutputRecordingDelegate`` is told the time of the first frame.
  public var preRoll: MoviePreRoll? {
    get { engine.state.withLock { $0.preRoll } }
    set {
      engine.perform { state in
        state.preRoll = newValue
        // Memory goes at once, not with the next frame.
        if newValue == nil { state.queue.append(.forgetPreRoll) }
      }
    }
  }

  /// The longest that a movie may become; nil, as it is until set, for no limit. Taken when a
  /// recording begins.
  ///
  /// A recording that reaches it ends with the error `maximumDurationReached`, and its movie can be
  /// played.
  public var maxRecordedDuration: Duration? {
    get { engine.state.withLock { $0.limits.duration } }
    set { engine.perform { $0.limits.duration = newValue } }
  }

  /// The most bytes that a file may become; nil, as it is until set, for no limit. Taken when a
  /// recording begins.
  ///
  /// The finished file is not larger. A recording that reaches it ends with the error
  /// `maximumFileSizeReached`, and its movie can be played.
  public var maxRecordedFileSize: Int64? {
    get { engine.state.withLock { $0.limits.byteCount } }
    set { engine.perform { $0.limits.byteCount = newValue } }
  }

  /// Bytes that are to stay free on the file's disk; nil, as it is until set, for none. Taken when
  /// a recording begins.
  ///
  /// Looked at four times a second. A recording that reaches it ends with the error
  /// `minimumFreeDiskSpaceReached`, and its movie can be played; one that would begin below it does
  /// not.
  public var minFreeDiskSpaceLimit: Int64? {
    get { engine.state.withLock { $0.limits.freeByteCount } }
    set { engine.perform { $0.limits.freeByteCount = newValue } }
  }
}

// MARK: - How it is going

extension CaptureMovieFileOutput {
  /// Whether there is a recording, from the call that starts it until its file is complete.
  public var isRecording: Bool { engine.state.withLock { $0.machine.isRecording } }

  /// Whether the recording is paused.
  public var isRecordingPaused: Bool { engine.state.withLock { $0.machine.isPaused } }

  /// The duration of the movie that is being recorded, or was recorded last; pauses left out.
  public var recordedDuration: Duration { statistics.duration }

  /// Its bytes so far.
  public var recordedFileSize: Int64 { statistics.byteCount }

  /// The file that is being recorded; nil where there is none.
  public var outputFileURL: URL? {
    engine.state.withLock { $0.machine.isRecording ? $0.url : nil }
  }

  /// What has become of the frames of the movie that is being recorded, or was recorded last.
  public var statistics: MovieStatistics { engine.state.withLock { $0.statistics } }

  /// The last call that was refused, or what ended the last recording that was not asked to end;
  /// nil where there was none.
  public var lastError: MovieError? { engine.state.withLock { $0.lastError } }

  func note(_ error: any Error) {
    let error = error as? MovieError ?? MovieError(.cannotWrite, "\(error)")
    engine.state.withLock { $0.lastError = error }
  }
}
