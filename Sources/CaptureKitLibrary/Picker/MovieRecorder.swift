import CaptureKitLinux
import Foundation

final class MovieRecorder: PickerRecorder {
  let output: any CaptureOutput = CapturePhotoOutput()
  var recordedDuration: Duration { .zero }
  func start(
    to url: URL, limit: Duration,
    completion: @escaping @Sendable (Result<(any Error)?, any Error>) -> Void
  ) {}
  func stop() {}
}
