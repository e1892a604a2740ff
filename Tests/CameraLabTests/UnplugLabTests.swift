import CaptureKitLinux
import Testing

/// A camera that is unplugged at the worst moments.
@Suite(.inLab(.usb), .timeLimit(.minutes(1)))
struct UnplugLabTests {
  let camera = LabCamera()

  @Test func endsAWaitingPhotoOnceAndAtOnce() async throws {
    let studio = try LabStudio()
    let diary = PhotoDiary()
    let notices = NoticeBoard(
      CaptureSession.runtimeErrorNotification, CaptureSession.didStopRunningNotification,
      of: studio.session)
    let goodbyes = NoticeBoard(CaptureDevice.wasDisconnectedNotification, of: studio.device)
    try await studio.session.start()
    await studio.tap.frames(2)
    try await camera.tell("stall 60")

    let settings = CapturePhotoSettings(timeout: .seconds(50))
    studio.photos.capturePhoto(with: settings, delegate: diary)
    await diary.hasBegun()
    let unplugged = ContinuousClock.now
    try await camera.tell("unplug")
    let entries = await diary.finished()

    #expect(entries.calls.first == "willBegin")
    #expect(entries.errors == [.disconnected, .disconnected])
    #expect(try #require(entries.endedAt) - unplugged < .seconds(5))
    try await until("the session has stopped") { !studio.session.isRunning }
    #expect(studio.session.lastError?.code == .disconnected)
    #expect(!studio.device.isConnected)
    try await until("the session has said so") {
      notices.count(of: CaptureSession.didStopRunningNotification) == 1
    }
    #expect(notices.count(of: CaptureSession.runtimeErrorNotification) == 1)
    #expect(goodbyes.count(of: CaptureDevice.wasDisconnectedNotification) == 1)
    #expect(diary.now.calls == entries.calls)
    #expect(entries.calls.suffix(2) == ["didFinishProcessing", "didFinish"])
    #expect(throws: CaptureError.self) { try CaptureDeviceInput(device: studio.device) }
    try await replug()
  }

  @Test func comesBackAsANewDeviceWithTheSameID() async throws {
    let studio = try LabStudio()
    try await studio.session.start()
    await studio.tap.frames(2)
    try await camera.tell("unplug")
    try await until("the session has stopped") { !studio.session.isRunning }
    #expect(DiscoveryLabTests.cameras.isEmpty)

    try await replug()

    let device = try #require(CaptureDevice.default(for: .video))
    #expect(device.uniqueID == studio.device.uniqueID)
    #expect(device !== studio.device)
    #expect(device.isConnected && !studio.device.isConnected)
    let photo = try await LabStudio(device).onePhoto()
    #expect(try FrameNumber.read(photo) != nil)
  }

  @Test func isNoticedAtTheNextStart() async throws {
    let studio = try LabStudio()
    try await camera.tell("unplug")
    try await until("the camera is gone") { DiscoveryLabTests.cameras.isEmpty }

    let error = await #expect(throws: CaptureError.self) { try await studio.session.start() }

    #expect(error?.code == .disconnected || error?.code == .noDevice)
    #expect(!studio.session.isRunning)
    try await replug()
  }

  @Test func doesNotDisturbAStop() async throws {
    let studio = try LabStudio()
    try await studio.session.start()
    await studio.tap.frames(1)
    async let unplugging: Void = camera.tell("unplug")
    await studio.session.stop()
    try await unplugging

    #expect(!studio.session.isRunning)
    try await replug()
    #expect(try await LabStudio().onePhoto().fileDataRepresentation() != nil)
  }

  private func replug() async throws {
    try await until("the camera is gone") { DiscoveryLabTests.cameras.isEmpty }
    try await camera.tell("plug")
    try await until("the camera is back") { DiscoveryLabTests.cameras.count == 1 }
  }
}
