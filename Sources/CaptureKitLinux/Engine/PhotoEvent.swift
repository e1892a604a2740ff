/// What happens to a photo request, in order; the delegate, the closure and the async form are
/// adapters over it.
enum PhotoEvent: Sendable {
  case willBegin(CaptureResolvedPhotoSettings)
  case willCapture(CaptureResolvedPhotoSettings)
  case didCapture(CaptureResolvedPhotoSettings)
  case didFinishProcessing(CapturePhoto, CaptureError?)
  case didFinish(CaptureResolvedPhotoSettings, CaptureError?)
}

/// Takes the events of one request, on the output's callback queue.
typealias PhotoEventHandler = @Sendable (PhotoEvent) -> Void
