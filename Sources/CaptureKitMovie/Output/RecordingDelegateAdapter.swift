import CaptureKitLinux
import Foundation

/// Turns events into a delegate's calls, and keeps delegate and output until the last.
final class RecordingDelegateAdapter: @unchecked Sendable {  // calls on one serial queue only
  private let delegate: any CaptureFileOutputRecordingDelegate
  private let output: CaptureMovieFileOutput
  private let url: URL
  private let connections: [CaptureConnection]

  init(
    _ delegate: any CaptureFileOutputRecordingDelegate, of output: CaptureMovieFileOutput,
    recordingTo url: URL
  ) {
    self.delegate = delegate
    self.output = output
    self.url = url
    connections = output.connections
  }

  func deliver(_ event: RecordingEvent) {
    switch event {
    case .started(let time):
      delegate.fileOutput(output, didStartRecordingTo: url, startPTS: time, from: connections)
    case .paused: delegate.fileOutput(output, didPauseRecordingTo: url, from: connections)
    case .resumed: delegate.fileOutput(output, didResumeRecordingTo: url, from: connections)
    case .willFinish(let error):
      delegate.fileOutput(output, willFinishRecordingTo: url, from: connections, error: error)
    case .finished(let movie):
      delegate.fileOutput(
        output, didFinishRecordingTo: url, from: connections, error: movie.error)
    }
  }
}
