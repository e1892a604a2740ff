public import CaptureKitLinux
public import Foundation

/// Follows a recording; Apple's `AVCaptureFileOutputRecordingDelegate`.
///
/// For each call of
/// ``CaptureMovieFileOutput/startRecording(to:recordingDelegate:)`` the last call is
/// `didFinishRecordingTo`, exactly once, whatever happens between; `didStartRecordingTo` comes
/// before it once where a frame was written. All calls come on one serial queue of the output's
/// own, never under a lock: call the output or the session as you like. The output keeps the
/// delegate until the end. As with Apple's protocol the delegate itself sees to it that other
/// threads may use it meanwhile.
public protocol CaptureFileOutputRecordingDelegate: AnyObject, SendableMetatype {
  /// The movie's first frame is written.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - fileURL: The movie.
  ///   - startPTS: When its first frame was taken; with a pre-roll that is before the call that
  ///     started it.
  ///   - connections: The way the frames come.
  func fileOutput(
    _ output: CaptureMovieFileOutput, didStartRecordingTo fileURL: URL, startPTS: HostTime,
    from connections: [CaptureConnection])

  /// As `didStartRecordingTo` with a start time, which calls it unless you take that one.
  func fileOutput(
    _ output: CaptureMovieFileOutput, didStartRecordingTo fileURL: URL,
    from connections: [CaptureConnection])

  /// All frames from before the pause are written; others follow after it.
  func fileOutput(
    _ output: CaptureMovieFileOutput, didPauseRecordingTo fileURL: URL,
    from connections: [CaptureConnection])

  /// Frames are written again.
  func fileOutput(
    _ output: CaptureMovieFileOutput, didResumeRecordingTo fileURL: URL,
    from connections: [CaptureConnection])

  /// No further frame is written; the file is being finished.
  func fileOutput(
    _ output: CaptureMovieFileOutput, willFinishRecordingTo fileURL: URL,
    from connections: [CaptureConnection], error: (any Error)?)

  /// The recording is over.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - outputFileURL: The movie.
  ///   - connections: The way the frames came.
  ///   - error: A ``MovieError`` where something other than a call ended it; the file can be played
  ///     all the same where its ``MovieError/recordingSucceeded`` is true.
  func fileOutput(
    _ output: CaptureMovieFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [CaptureConnection], error: (any Error)?)
}

extension CaptureFileOutputRecordingDelegate {
  /// Calls the form without a start time.
  public func fileOutput(
    _ output: CaptureMovieFileOutput, didStartRecordingTo fileURL: URL, startPTS: HostTime,
    from connections: [CaptureConnection]
  ) {
    fileOutput(output, didStartRecordingTo: fileURL, from: connections)
  }

  /// Does nothing.
  public func fileOutput(
    _ output: CaptureMovieFileOutput, didStartRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) {}

  /// Does nothing.
  public func fileOutput(
    _ output: CaptureMovieFileOutput, didPauseRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) {}

  /// Does nothing.
  public func fileOutput(
    _ output: CaptureMovieFileOutput, didResumeRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) {}

  /// Does nothing.
  public func fileOutput(
    _ output: CaptureMovieFileOutput, willFinishRecordingTo fileURL: URL,
    from connections: [CaptureConnection], error: (any Error)?
  ) {}
}
