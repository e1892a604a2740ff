/// Tells what a shutter button should look like from what goes on; pure.
struct PhotoReadiness {
  /// Pictures that may be in the making before a further photo has to wait for them.
  static let mostPictures = 16

  var isRunning = false
  /// Whether the camera is being switched between a larger still and its stream.
  var isSwitching = false
  /// Requests that wait for a frame.
  var waitingCount = 0
  /// Pictures that are being made.
  var processingCount = 0

  var state: CapturePhotoOutput.CaptureReadiness {
    guard isRunning || isSwitching else { return .sessionNotRunning }
    if waitingCount > 0 { return .notReadyWaitingForCapture }
    if isSwitching { return .notReadyMomentarily }
    return processingCount >= Self.mostPictures ? .notReadyWaitingForProcessing : .ready
  }
}
