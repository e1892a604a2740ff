import CaptureKitLinux
import CaptureKitMovie
import Foundation

/// Records with a movie output.
final class MovieRecorder: PickerRecorder {
  private let movies = CaptureMovieFileOutput()

  var output: any CaptureOutput { movies }

  var recordedDuration: Duration { movies.isRecording ? movies.recordedDuration : .zero }

  var recordedFileSize: Int64 { movies.isRecording ? movies.recordedFileSize : 0 }

  func start(
    to url: URL, limit: Duration,
    completion: @escaping @Sendable (Result<(any Error)?, any Error>) -> Void
  ) {
    movies.maxRecordedDuration = limit
    movies.startRecording(to: url) { result in completion(result.map { $0.error }) }
  }

  func stop() { movies.stopRecording() }
}
