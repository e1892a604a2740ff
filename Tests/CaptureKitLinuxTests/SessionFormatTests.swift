import CaptureKitLinux
import CaptureKitMocks
import Imaging
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SessionFormatTests {
  @Test func followsTheChosenFormat() async throws {
    let format = CaptureDevice.Format(
      .grey, dimensions: VideoDimensions(width: 64, height: 48),
      frameDurations: [.thirtieth ... .thirtieth])
    let camera = MockCamera(
      frames: .testPattern(.yuyv, width: 160, height: 120),
      formats: [
        CaptureDevice.Format(.yuyv, dimensions: VideoDimensions(width: 160, height: 120)), format,
      ])
    let studio = try await Studio(camera)

    studio.device.activeFormat = format
    #expect(studio.device.lastError?.code == .notLocked)
    try studio.device.lockForConfiguration()
    studio.device.activeFormat = format
    studio.device.unlockForConfiguration()
    #expect(studio.session.sessionPreset == .inputPriority)
    try await studio.session.start()

    #expect(studio.photos.connections.first?.format?.dimensions.width == 64)
    studio.session.sessionPreset = .medium
    #expect(studio.session.sessionPreset == .medium)
    #expect(studio.photos.connections.first?.format?.dimensions.width == 160)
    await studio.session.stop()
  }

  @Test func usesNothingElseThanTheChosenFormat() async throws {
    let size = VideoDimensions(width: 160, height: 120)
    let formats = [PixelFormat.yuyv, .mjpeg].map {
      CaptureDevice.Format($0, dimensions: size, frameDurations: [.thirtieth ... .thirtieth])
    }
    let camera = MockCamera(
      frames: .testPattern(.yuyv, width: size.width, height: size.height), formats: formats)
    camera.script = [.noBandwidth(for: .yuyv)]
    let studio = try await Studio(camera)
    try studio.device.lockForConfiguration()
    studio.device.activeFormat = formats[0]
    studio.device.unlockForConfiguration()

    let error = await #expect(throws: CaptureError.self) { try await studio.session.start() }

    #expect(error?.code == .usbBandwidth)
    #expect(camera.counters.opened == camera.counters.closed)
  }

  @Test func knowsNoPresetOfAnotherName() {
    let session = CaptureSession()
    let unknown = CaptureSession.Preset(rawValue: "cinema")

    #expect(!session.canSetSessionPreset(unknown))
    #expect(session.canSetSessionPreset(.hd4K3840x2160))
    #expect { try session.setSessionPreset(unknown) } throws: {
      ($0 as? CaptureError)?.code == .unsupportedFormat && "\($0)".contains("“cinema”")
    }
  }

  @Test func takesThePresetOfAFailedBatchBack() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    try studio.device.lockForConfiguration()
    studio.device.activeFormat = studio.device.formats.first
    studio.device.unlockForConfiguration()

    #expect(throws: CaptureError.self) {
      try studio.session.configure {
        try studio.session.setSessionPreset(.photo)
        throw CaptureError(.backendFailed)
      }
    }

    #expect(studio.session.sessionPreset == .inputPriority)
  }

  @Test func refusesAFormatThatTheCameraDoesNotOffer() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    try studio.device.lockForConfiguration()
    defer { studio.device.unlockForConfiguration() }

    #expect {
      try studio.device.setActiveFormat(
        CaptureDevice.Format(.yuyv, dimensions: VideoDimensions(width: 7, height: 7)))
    } throws: {
      ($0 as? CaptureError)?.code == .unsupportedFormat
    }
  }

  @Test func tellsWhichPresetsTheCameraFulfils() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())

    #expect(studio.session.canSetSessionPreset(.photo))
    #expect(!studio.session.canSetSessionPreset(.hd1280x720))
    studio.session.sessionPreset = .hd1280x720
    #expect(studio.session.lastError?.code == .unsupportedFormat)
    #expect(studio.session.sessionPreset == .high)
  }
}
