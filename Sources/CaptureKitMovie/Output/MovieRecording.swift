public import Foundation
import Synchronization

/// A recording under way, as ``CaptureMovieFileOutput/startRecording(to:)`` returns it.
///
/// All members may be used from any thread. The recording goes on when nobody holds this object.
public final class MovieRecording: Sendable {
  /// The file.
  public let url: URL
  let started = PendingResult<Void>()
  private let ended = PendingResult<RecordedMovie>()
  private let output: CaptureMovieFileOutput
  /// Which of the output's recordings it is; nil before it has begun, and where it was refused.
  private let number = Mutex<UInt64?>(nil)

  init(of output: CaptureMovieFileOutput, to url: URL) {
    self.output = output
    self.url = url
  }

  func begun(as number: UInt64?) { self.number.withLock { $0 = number } }

  func note(_ event: RecordingEvent) {
    switch event {
    case .started: started.resolve(.success(()))
    case .finished(let movie):
      started.resolve(.failure(movie.error ?? .noFrames(url.path)))
      ended.resolve(movie.result.mapError { $0 })
    default: break
    }
  }

  /// Asks the recording to end, if it has not.
  func end() {
    if let number = number.withLock({ $0 }) { output.engine.end(nil, of: number) }
  }

  /// Ends the recording; frames that have come until now are in the movie.
  ///
  /// - Returns: The movie. Of a recording that has ended already, by a limit for instance, too.
  /// - Throws: ``MovieError`` where there is no movie to be played.
  public func stop() async throws -> RecordedMovie {
    end()
    return try await ended.value
  }

  /// The movie, once the recording is over: stopped, at a limit, or for whatever reason.
  ///
  /// ``RecordedMovie/error`` says what ended it. Throws ``MovieError`` where there is no movie to
  /// be played, `CancellationError` where the task was cancelled: the recording goes on then.
  public var finished: RecordedMovie {
    get async throws { try await ended.value }
  }
}
