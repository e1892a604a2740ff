import CaptureKitLinux
import CaptureKitMocks
import Imaging

/// A session with one simulated camera and a photo output: what most tests start from.
struct Studio {
  let camera: MockCamera
  let session = CaptureSession()
  let photos = CapturePhotoOutput()
  let device: CaptureDevice

  init(
    _ camera: MockCamera = MockCamera(frames: .testPattern(.yuyv, width: 320, height: 240)),
    clock: ManualClock? = nil
  ) async throws {
    self.camera = camera
    let backend =
      clock.map { MockBackend(cameras: [camera], clock: $0) } ?? MockBackend(cameras: [camera])
    let environment = CaptureEnvironment(backends: [backend], clock: clock)
    guard let device = try await environment.devices().first else { throw CaptureError.noDevice }
    self.device = device
    try session.add(try CaptureDeviceInput(device: device))
    try session.add(photos)
  }

  /// Asks for a photo and returns the delegate that follows it.
  func takePhoto(_ settings: CapturePhotoSettings = CapturePhotoSettings()) -> PhotoRecorder {
    let recorder = PhotoRecorder()
    photos.capturePhoto(with: settings, delegate: recorder)
    return recorder
  }
}
