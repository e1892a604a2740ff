#if Movies
  public import CaptureKitMovie
  public import Foundation

  /// Apple's name of `CaptureMovieFileOutput`.
  public typealias AVCaptureMovieFileOutput = CaptureMovieFileOutput
  /// Apple's class of all outputs that write files; here there is one, `CaptureMovieFileOutput`.
  public typealias AVCaptureFileOutput = CaptureMovieFileOutput
  /// Apple's name of `CaptureFileOutputRecordingDelegate`.
  public typealias AVCaptureFileOutputRecordingDelegate = CaptureFileOutputRecordingDelegate

  /// The key of whether a movie can be played although an error ended its recording, a `Bool` in
  /// the error's `userInfo`.
  public let AVErrorRecordingSuccessfullyFinishedKey: String =
    "AVErrorRecordingSuccessfullyFinishedKey"

  // Members whose type is another in `CaptureKitMovie`, where hers are taken unless the type
  // decides.
  extension CaptureMovieFileOutput {
    /// The longest that a movie may become; `CMTime.invalid` for no limit.
    @_disfavoredOverload
    public var maxRecordedDuration: CMTime {
      get { longestRecording.map { CMTime($0) } ?? .invalid }
      set {
        longestRecording = newValue.isNumeric ? .nanoseconds(newValue.nanoseconds) : nil
      }
    }

    /// The duration of the movie that is being recorded, or was recorded last.
    @_disfavoredOverload
    public var recordedDuration: CMTime { CMTime(statistics.duration) }
  }

  extension MovieError: CustomNSError {
    /// Whether the movie can be played, under ``AVErrorRecordingSuccessfullyFinishedKey``, and the
    /// sentence.
    public var errorUserInfo: [String: Any] {
      [
        AVErrorRecordingSuccessfullyFinishedKey: recordingSucceeded,
        NSLocalizedDescriptionKey: description,
      ]
    }
  }
#endif
