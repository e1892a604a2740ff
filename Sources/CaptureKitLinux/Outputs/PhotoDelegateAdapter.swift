/// Turns events into a delegate's calls, and keeps the delegate until the last.
final class PhotoDelegateAdapter: @unchecked Sendable {  // calls on one serial queue only
  private let delegate: any CapturePhotoCaptureDelegate

  init(_ delegate: any CapturePhotoCaptureDelegate) {
    self.delegate = delegate
  }

  func deliver(_ event: PhotoEvent, from output: CapturePhotoOutput) {
    switch event {
    case .willBegin(let settings): delegate.photoOutput(output, willBeginCaptureFor: settings)
    case .willCapture(let settings): delegate.photoOutput(output, willCapturePhotoFor: settings)
    case .didCapture(let settings): delegate.photoOutput(output, didCapturePhotoFor: settings)
    case .didFinishProcessing(let photo, let error):
      delegate.photoOutput(output, didFinishProcessingPhoto: photo, error: error)
    case .didFinish(let settings, let error):
      delegate.photoOutput(output, didFinishCaptureFor: settings, error: error)
    }
  }
}
