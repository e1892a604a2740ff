import CaptureKitLinux
import CaptureKitMocks
import Imaging
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SessionLossTests {
  @Test func noticesAtTheStartThatACameraIsGone() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    let loss = NotificationProbe(CaptureDevice.wasDisconnectedNotification, of: studio.device)
    studio.camera.unplug()

    await #expect { try await studio.session.start() } throws: {
      ($0 as? CaptureError)?.code == .disconnected
    }

    #expect(!studio.device.isConnected)
    #expect(await loss.first != nil)
  }

  @Test func noticesAnUnpluggedCamera() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    let tap = FrameTap()
    try studio.session.add(tap)
    let device = studio.device
    let failures = NotificationProbe(
      CaptureSession.runtimeErrorNotification, of: studio.session)
    let losses = NotificationProbe(CaptureDevice.wasDisconnectedNotification, of: device)
    try await studio.session.start()
    await tap.frames(1)

    studio.camera.unplug()

    #expect(await failures.first?.error?.code == .disconnected)
    #expect(await losses.first != nil)
    #expect(!device.isConnected)
    #expect(tap.ends.count == 1 && tap.ends.first??.code == .disconnected)
  }

  @Test func goesOnWithTheCameraThatIsLeft() async throws {
    let (lost, left) = (CaptureSessionTests.smallCamera(), CaptureSessionTests.smallCamera())
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [lost, left])])
    let session = CaptureSession()
    for device in try await environment.devices() {
      try session.add(try CaptureDeviceInput(device: device))
    }
    let photos = CapturePhotoOutput()
    try session.add(photos)
    let failure = NotificationProbe(CaptureSession.runtimeErrorNotification, of: session)
    try await session.start()

    lost.unplug()
    #expect(await failure.first?.error?.code == .disconnected)

    #expect(session.isRunning)
    let tap = FrameTap()
    try session.add(tap)
    await tap.frames(1)
    let photo = try await photos.capturePhoto(with: CapturePhotoSettings())
    #expect(photo.fileDataRepresentation() != nil)
    await session.stop()
  }
}
