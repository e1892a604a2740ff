import AVFoundationCompat

// A movie recorder as samples for iOS have it, with the import changed.

class ClipRecorder: NSObject {
  let session = AVCaptureSession()
  let movieOutput = AVCaptureMovieFileOutput()
  var completion: ((URL?, Error?) -> Void)?
  var hasStarted = false

  func setUp() throws {
    guard let camera = AVCaptureDevice.default(for: .video) else { return }
    session.beginConfiguration()
    let input = try AVCaptureDeviceInput(device: camera)
    if session.canAddInput(input) { session.addInput(input) }
    if session.canAddOutput(movieOutput) { session.addOutput(movieOutput) }
    movieOutput.maxRecordedDuration = CMTime(seconds: 30, preferredTimescale: 600)
    session.commitConfiguration()
    session.startRunning()
  }

  func toggleRecording(to url: URL) {
    if !movieOutput.isRecording {
      if let connection = movieOutput.connection(with: .video) {
        if connection.isVideoOrientationSupported { connection.videoOrientation = .portrait }
      }
      movieOutput.startRecording(to: url, recordingDelegate: self)
    } else {
      movieOutput.stopRecording()
    }
  }
}

extension ClipRecorder: AVCaptureFileOutputRecordingDelegate {
  func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection]
  ) {
    hasStarted = true
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: Error?
  ) {
    var success = true
    if let error = error {
      success =
        (error as NSError).userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? false
    }
    completion?(success ? outputFileURL : nil, error)
  }
}
