import CaptureKitLinux
import CaptureKitMovie
import Foundation
import Synchronization

/// A delegate that writes down what it is told, and can be waited for.
final class RecordingDiary: CaptureFileOutputRecordingDelegate, Sendable {
  private struct State {
    var entries: [String] = []
    var startTime: HostTime?
    var error: MovieError?
    var connections: [CaptureConnection] = []
  }

  private let state = Mutex(State())
  private let stream: AsyncStream<String>
  private let ticks: AsyncStream<String>.Continuation

  init() { (stream, ticks) = AsyncStream<String>.makeStream() }

  /// The calls' names in their order.
  var entries: [String] { state.withLock { $0.entries } }
  var startTime: HostTime? { state.withLock { $0.startTime } }
  /// What the last call said.
  var error: MovieError? { state.withLock { $0.error } }
  var connections: [CaptureConnection] { state.withLock { $0.connections } }

  /// Waits for a call.
  func wait(for entry: String) async {
    if entries.contains(entry) { return }
    for await one in stream where one == entry { return }
  }

  private func note(_ entry: String) {
    state.withLock { $0.entries.append(entry) }
    ticks.yield(entry)
  }

  func fileOutput(
    _ output: CaptureMovieFileOutput, didStartRecordingTo fileURL: URL, startPTS: HostTime,
    from connections: [CaptureConnection]
  ) {
    state.withLock { state in
      state.startTime = startPTS
      state.connections = connections
    }
    note("start")
  }

  func fileOutput(
    _ output: CaptureMovieFileOutput, didPauseRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) { note("pause") }

  func fileOutput(
    _ output: CaptureMovieFileOutput, didResumeRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) { note("resume") }

  func fileOutput(
    _ output: CaptureMovieFileOutput, willFinishRecordingTo fileURL: URL,
    from connections: [CaptureConnection], error: (any Error)?
  ) { note("will finish") }

  func fileOutput(
    _ output: CaptureMovieFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [CaptureConnection], error: (any Error)?
  ) {
    state.withLock { $0.error = error as? MovieError }
    note("finish")
  }
}
