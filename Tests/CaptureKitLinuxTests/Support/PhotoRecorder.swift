import CaptureKitLinux
import Synchronization

/// A delegate that writes down what it is told, and can be waited for.
final class PhotoRecorder: CapturePhotoCaptureDelegate, Sendable {
  struct Log: Sendable {
    var calls: [String] = []
    var settingsIDs: Set<Int64> = []
    var photo: CapturePhoto? { photos.last }
    var photos: [CapturePhoto] = []
    var processingError: CaptureError?
    var finalError: CaptureError?
  }

  private let log = Mutex(Log())
  private let ended: AsyncStream<Void>
  private let end: AsyncStream<Void>.Continuation

  init() {
    (ended, end) = AsyncStream<Void>.makeStream()
  }

  /// The log, once the request is over.
  var finished: Log {
    get async {
      for await _ in ended {}
      return log.withLock { $0 }
    }
  }

  private func note(_ call: String, _ settings: CaptureResolvedPhotoSettings) {
    log.withLock { log in
      log.calls.append(call)
      log.settingsIDs.insert(settings.uniqueID)
    }
  }

  func photoOutput(
    _ output: CapturePhotoOutput,
    willBeginCaptureFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {
    note("willBegin", resolvedSettings)
  }

  func photoOutput(
    _ output: CapturePhotoOutput,
    willCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {
    note("willCapture", resolvedSettings)
  }

  func photoOutput(
    _ output: CapturePhotoOutput,
    didCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {
    note("didCapture", resolvedSettings)
  }

  func photoOutput(
    _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto,
    error: (any Error)?
  ) {
    note("didFinishProcessing", photo.resolvedSettings)
    log.withLock { log in
      log.photos.append(photo)
      log.processingError = error as? CaptureError
    }
  }

  func photoOutput(
    _ output: CapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: (any Error)?
  ) {
    note("didFinish", resolvedSettings)
    log.withLock { $0.finalError = error as? CaptureError }
    end.finish()
  }
}
