import CaptureKitLinux
import Synchronization

/// A delegate that writes down each call, and can be waited for.
final class PhotoDiary: CapturePhotoCaptureDelegate, Sendable {
  struct Entries: Sendable {
    var calls: [String] = []
    var errors: [CaptureError.Code] = []
    var endedAt: ContinuousClock.Instant?
  }

  private let entries = Mutex(Entries())
  private let (ended, end) = AsyncStream<Void>.makeStream()
  private let (begun, begin) = AsyncStream<Void>.makeStream()

  /// Returns when the request was taken up.
  func hasBegun() async {
    for await _ in begun {}
  }

  /// The entries, once the request is over.
  func finished() async -> Entries {
    for await _ in ended {}
    return entries.withLock { $0 }
  }

  var now: Entries { entries.withLock { $0 } }

  private func note(_ call: String, _ error: (any Error)? = nil) {
    entries.withLock { entries in
      entries.calls.append(call)
      if let error = error as? CaptureError { entries.errors.append(error.code) }
    }
  }

  func photoOutput(
    _ output: CapturePhotoOutput,
    willBeginCaptureFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {
    note("willBegin")
    begin.finish()
  }

  func photoOutput(
    _ output: CapturePhotoOutput,
    willCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {
    note("willCapture")
  }

  func photoOutput(
    _ output: CapturePhotoOutput,
    didCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {
    note("didCapture")
  }

  func photoOutput(
    _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto,
    error: (any Error)?
  ) {
    note("didFinishProcessing", error)
  }

  func photoOutput(
    _ output: CapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: (any Error)?
  ) {
    note("didFinish", error)
    entries.withLock { $0.endedAt = .now }
    end.finish()
  }
}
