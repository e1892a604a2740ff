/// How far a recording has come, and what may be asked of it; pure.
///
/// Each recording that was begun ends exactly once: the first reason to end it is the one that is
/// told, and what is asked for after it is refused.
struct RecordingMachine {
  enum Phase: Hashable {
    case idle
    /// Asked for; its first frame has not been written.
    case waiting
    case recording
    /// Being finished, for the first reason that there was.
    case ending(MovieError?)
  }

  private(set) var phase = Phase.idle
  private(set) var isPaused = false
  private var hasFrames = false

  /// Whether there is a recording, be it one that is ending.
  var isRecording: Bool { phase != .idle }

  /// Whether frames that come now belong to a movie.
  var takesFrames: Bool { (phase == .waiting || phase == .recording) && !isPaused }

  mutating func begin(_ name: String) throws(MovieError) {
    guard phase == .idle else { throw .alreadyRecording(name) }
    phase = .waiting
    isPaused = false
    hasFrames = false
  }

  /// The movie's first frame is written; it may have been asked to end meanwhile.
  ///
  /// - Returns: Whether that is to be told: a second one is not.
  mutating func wroteFirstFrame() -> Bool {
    guard phase != .idle, !hasFrames else { return false }
    hasFrames = true
    if phase == .waiting { phase = .recording }
    return true
  }

  mutating func pause() throws(MovieError) {
    try change(isPaused: true, otherwise: "The recording is paused already.")
  }

  mutating func resume() throws(MovieError) {
    try change(isPaused: false, otherwise: "The recording is not paused.")
  }

  private mutating func change(
    isPaused: Bool, otherwise sentence: String
  ) throws(MovieError) {
    guard phase == .waiting || phase == .recording else { throw .notRecording }
    guard isPaused != self.isPaused else { throw MovieError(.notRecording, sentence) }
    self.isPaused = isPaused
  }

  /// Nothing more is to be written.
  ///
  /// - Parameter error: Why; nil where it was asked for.
  /// - Returns: Whether this is what ends the recording: false where it is ending already, or there
  ///   is none.
  mutating func end(_ error: MovieError?) -> Bool {
    guard phase == .waiting || phase == .recording else { return false }
    phase = .ending(error)
    return true
  }

  /// The file is closed; another recording may begin.
  ///
  /// - Returns: Why it was ended; nil where that was asked for.
  mutating func finished() -> MovieError? {
    defer {
      phase = .idle
      isPaused = false
    }
    if case .ending(let error) = phase { return error }
    return nil
  }
}
