import CaptureKitLinux
import CaptureKitMocks
import Imaging
import Testing

/// The code of the module's documentation works.
@Suite(.timeLimit(.minutes(1)))
struct DocumentationTests {
  private func theCodeUnderTest() async throws -> CapturePhoto {
    let session = CaptureSession()
    let device = try unwrap(CaptureDevice.default(for: .video))
    try session.add(CaptureDeviceInput(device: device))
    let photos = CapturePhotoOutput()
    try session.add(photos)
    try await session.start()
    let photo = try await photos.capturePhoto(with: CapturePhotoSettings())
    await session.stop()
    return photo
  }

  @Test
  func codeUnderTestFindsTheCameraAndItsPattern() async throws {
    let camera = MockCamera(
      position: .front, frames: .testPattern(.mjpeg, width: 1280, height: 720))
    // Late enough for a machine on which a second passes before the photo is asked for.
    camera.script = [.unplug(afterFrame: 3000), .replug(after: .seconds(2))]

    let photo = try await CaptureEnvironment(backends: [MockBackend(cameras: [camera])]).run {
      try await theCodeUnderTest()
    }

    let picture = try photo.image.pixelBuffer()
    #expect(TestPattern.frameNumber(in: picture) != nil)
    #expect(picture.width == 1280 && picture.height == 720)
    #expect(camera.counters.opened == 1 && camera.counters.started == 1)
  }

  @Test
  func framesOfAClosureAreMadeAsDocumented() throws {
    let format = CaptureDevice.Format(.grey, dimensions: VideoDimensions(width: 2, height: 1))
    let frames = MockFrames.generated([format]) { request in
      guard let layout = PixelLayout(format: .grey, width: 2, height: 1) else {
        throw CaptureError(.backendFailed)
      }
      return CapturedFrame(
        bytes: [0, 255], layout: layout, sequence: request.sequence, timestamp: request.timestamp)
    }
    let rig = try Rig(frames: frames)
    try rig.start()
    #expect(try rig.next()?.copy == [0, 255])
  }
}
