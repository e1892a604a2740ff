import CaptureKitLinux
public import Foundation
import Imaging
import Synchronization

// MARK: - Starting

extension CaptureMovieFileOutput {
  /// Starts a recording and tells a delegate.
  ///
  /// The container follows from the file's name: `mkv`, `mp4`, `mov` or `avi`. Pictures are turned
  /// as the connection says now. What refuses the recording is told to the delegate as what ended
  /// it, and kept in ``lastError``; a file that exists is never touched.
  ///
  /// - Parameters:
  ///   - outputFileURL: The file, which does not exist yet.
  ///   - delegate: Follows the recording; kept until its last call.
  public func startRecording(
    to outputFileURL: URL, recordingDelegate delegate: any CaptureFileOutputRecordingDelegate
  ) {
    let adapter = RecordingDelegateAdapter(delegate, of: self, recordingTo: outputFileURL)
    begin(outputFileURL) { adapter.deliver($0) }
  }

  /// Starts a recording and calls a closure when it is over.
  ///
  /// - Parameters:
  ///   - outputFileURL: The file, which does not exist yet.
  ///   - completion: Called exactly once, on the output's own queue: with the movie, where there is
  ///     one to be played, whatever ended it; otherwise with a ``MovieError``.
  public func startRecording(
    to outputFileURL: URL,
    completion: @escaping @Sendable (Result<RecordedMovie, any Error>) -> Void
  ) {
    begin(outputFileURL) { [self] event in
      guard case .finished(let movie) = event else { return }
      completion(movie.result.mapError { $0 })
      _ = self
    }
  }

  /// Starts a recording and returns when its first frame is written.
  ///
  /// - Parameter outputFileURL: The file, which does not exist yet.
  /// - Returns: The recording, to end it, and to wait for what it becomes.
  /// - Throws: ``MovieError``: `fileExists`, `unsupportedContainer`, `unsupportedCodec`,
  ///   `notPermitted`, `cannotWrite`, `diskFull`, `minimumFreeDiskSpaceReached`, `alreadyRecording`,
  ///   `noConnection`; `noFrames` where it was ended before there was one, and what ended it;
  ///   `CancellationError` where the task was cancelled, which ends the recording.
  public func startRecording(to outputFileURL: URL) async throws -> MovieRecording {
    try Task.checkCancellation()
    let recording = MovieRecording(of: self, to: outputFileURL)
    recording.begun(as: begin(outputFileURL) { recording.note($0) })
    return try await withTaskCancellationHandler {
      try await recording.started.value
      return recording
    } onCancel: {
      recording.end()
    }
  }

  /// - Returns: The recording's number; nil where it was refused.
  @discardableResult
  private func begin(_ url: URL, _ handler: @escaping RecordingEventHandler) -> UInt64? {
    do throws(MovieError) {
      let container = try container(of: url)
      let source = engine.state.withLock { $0.source }
      let active = connections.filter { $0.isEnabled && $0.isActive }
      let connection = active.first { ObjectIdentifier($0) == source } ?? active.first
      guard let connection else { throw .noConnection(url) }
      return try engine.begin(
        url, container, connection.uprightOrientation, by: connection.input.device.clock,
        whileActive: { connection.isActive }, else: .noConnection(url), handler)
    } catch {
      note(error)
      let movie = RecordedMovie(
        url: url, container: MovieContainer(pathExtension: url.pathExtension) ?? .matroska,
        startTime: nil, statistics: MovieStatistics(), error: error)
      engine.tell(.finished(movie), handler)
      return nil
    }
  }

  private func container(of url: URL) throws(MovieError) -> MovieContainer {
    // In C a NUL would end the name, and another file be made.
    guard url.isFileURL, !url.path.utf8.contains(0) else {
      throw MovieError(.cannotWrite, "\(url) is no file: record to a file's URL.")
    }
    guard let container = MovieContainer(pathExtension: url.pathExtension) else {
      throw MovieError(
        .unsupportedContainer,
        "\(url.path) says no container: let the name end in mkv, mp4, mov or avi.")
    }
    return container
  }
}

// MARK: - Going on

extension CaptureMovieFileOutput {
  /// Ends the recording: frames that have come until now are in the movie. Returns at once; where
  /// there is no recording nothing happens, and ``lastError`` says so.
  public func stopRecording() {
    engine.perform { state in
      if state.machine.end(nil) {
        state.queue.append(.end(nil))
      } else if !state.machine.isRecording {
        state.lastError = .notRecording
      }
    }
  }

  /// Leaves frames out from now on, until ``resumeRecording()``; what follows comes directly after
  /// what was. Refused, and kept in ``lastError``, where there is no recording or it is paused
  /// already.
  public func pauseRecording() {
    change(.pause) { machine throws(MovieError) in try machine.pause() }
  }

  /// Records frames again. Refused, and kept in ``lastError``, where the recording is not paused.
  public func resumeRecording() {
    change(.resume) { machine throws(MovieError) in try machine.resume() }
  }

  private func change(
    _ order: MovieEngine.Order,
    _ body: @Sendable (inout RecordingMachine) throws(MovieError) -> Void
  ) {
    engine.perform { state in
      do throws(MovieError) {
        try body(&state.machine)
        state.queue.append(order)
      } catch {
        state.lastError = error
      }
    }
  }
}

extension RecordedMovie {
  /// The movie where there is one to play.
  var result: Result<RecordedMovie, MovieError> {
    if let error, !error.recordingSucceeded { .failure(error) } else { .success(self) }
  }
}

extension MovieError {
  fileprivate static func noConnection(_ url: URL) -> MovieError {
    MovieError(
      .noConnection,
      "\(url.path) cannot be recorded: add the output to a session with a camera, and start it "
        + "first.")
  }
}
