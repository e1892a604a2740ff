import CaptureKitLinux
import CaptureKitMocks
import CaptureKitMovie
import Foundation

/// A movie of a simulated camera, for tests that need one of a library.
enum PlacedMovie {
  static func record(to url: URL) async throws {
    let camera = PickerStage.webcam()
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera])])
    let session = CaptureSession()
    let movies = CaptureMovieFileOutput()
    for device in try await environment.devices() {
      try session.add(CaptureDeviceInput(device: device))
    }
    try session.add(movies)
    try await session.start()
    let recording = try await movies.startRecording(to: url)
    _ = try await recording.stop()
    await session.stop()
  }
}
