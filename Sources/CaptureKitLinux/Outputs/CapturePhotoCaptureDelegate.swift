/// Follows a photo on its way; Apple's `AVCapturePhotoCaptureDelegate`.
///
/// For each request `willBeginCapture` comes first and `didFinishCapture` last, each exactly once,
/// whatever happens between: an unplugged camera, a stopped or vanished session, a refused request,
/// a passed deadline. `didFinishProcessingPhoto` comes exactly once between them, in a burst once
/// for each photo that was asked for. `willCapture` and `didCapture` come once, when the first and
/// the last frame were taken, and not at all where none was.
///
/// All calls come on one serial queue of the output's own, never on the main thread and never under
/// a lock: call the output or the session as you like. The output keeps the delegate until the end.
/// As with Apple's protocol the delegate itself sees to it that other threads may use it meanwhile.
/// A delegate of the main actor takes the calls off it and goes there itself:
///
/// ```swift
/// nonisolated func photoOutput(
///   _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto, error: (any Error)?
/// ) {
///   Task { @MainActor in show(photo) }
/// }
/// ```
public protocol CapturePhotoCaptureDelegate: AnyObject, SendableMetatype {
  /// The request was taken up.
  func photoOutput(
    _ output: CapturePhotoOutput,
    willBeginCaptureFor resolvedSettings: CaptureResolvedPhotoSettings)

  /// The photo's frame is being taken: the moment for a shutter animation.
  func photoOutput(
    _ output: CapturePhotoOutput,
    willCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings)

  /// The photo's frame, the last of several, was taken; its picture is being made.
  func photoOutput(
    _ output: CapturePhotoOutput,
    didCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings)

  /// The photo is there, or it is known why there is none.
  func photoOutput(
    _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto,
    error: (any Error)?)

  /// The request is over.
  func photoOutput(
    _ output: CapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: (any Error)?)
}

extension CapturePhotoCaptureDelegate {
  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput,
    willBeginCaptureFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput,
    willCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput,
    didCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto,
    error: (any Error)?
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: (any Error)?
  ) {}
}
