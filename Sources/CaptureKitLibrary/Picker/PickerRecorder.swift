import CaptureKitLinux
import Foundation

/// Records a camera's movies for the picker.
protocol PickerRecorder: Sendable {
  /// What the session gives frames to.
  var output: any CaptureOutput { get }

  /// How long the movie is so far.
  var recordedDuration: Duration { get }

  /// Bytes of the movie so far.
  var recordedFileSize: Int64 { get }

  /// Starts a movie.
  ///
  /// - Parameters:
  ///   - url: Its file.
  ///   - limit: The longest that it may be.
  ///   - completion: Called once, when the file is finished: with what ended it before it was asked
  ///     to, if anything did, where it can be played; otherwise with why there is none.
  func start(
    to url: URL, limit: Duration,
    completion: @escaping @Sendable (Result<(any Error)?, any Error>) -> Void)

  /// Asks for the end.
  func stop()
}
