import CaptureKitLinux
import Imaging
import Testing

/// More than one plain photo, of the virtual USB camera.
@Suite(.inLab(.usb), .timeLimit(.minutes(1)))
struct PhotoLabTests {
  let camera = LabCamera()

  static func burst(_ count: Int) -> CapturePhotoSettings {
    let settings = CapturePhotoSettings(timeout: LabStudio.patience)
    settings.burstCount = count
    return settings
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv])
  func waitsUntilABlackCameraShowsSomething(format: PixelFormat) async throws {
    try await camera.tell("black 10")
    let studio = try LabStudio(format)
    studio.photos.settlingTime = .seconds(10)

    let photo = try await studio.onePhoto()

    try await camera.tell("black 0")
    #expect(try #require(try FrameNumber.read(photo)) >= 10)
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv])
  func takesABurst(format: PixelFormat) async throws {
    let studio = try LabStudio(format)
    try await studio.session.start()

    var numbers: [Int] = []
    for try await photo in studio.photos.capturePhotos(with: Self.burst(4)) {
      numbers.append(try #require(try FrameNumber.read(photo)))
    }

    await studio.session.stop()
    #expect(numbers.count == 4)
    // The emulated processor may lose a frame, but never the order.
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { (1...2).contains($1 - $0) })
  }

  @Test func saysOfEachPhotoWhatHasBecomeOfItWhenTheCameraIsUnplugged() async throws {
    let studio = try LabStudio()
    let diary = PhotoDiary()
    try await studio.session.start()
    await studio.tap.frames(2)
    studio.photos.capturePhoto(with: Self.burst(30), delegate: diary)
    await studio.tap.frames(3)

    try await camera.tell("unplug")
    let calls = await diary.finished().calls

    #expect(calls.filter { $0 == "didFinishProcessing" }.count == 30)
    for call in ["willBegin", "willCapture", "didCapture", "didFinish"] {
      #expect(calls.filter { $0 == call }.count == 1, "\(call)")
    }
    #expect(calls.first == "willBegin" && calls.last == "didFinish")
    try await until("the camera is gone") { DiscoveryLabTests.cameras.isEmpty }
    try await camera.tell("plug")
    try await until("the camera is back") { DiscoveryLabTests.cameras.count == 1 }
    #expect(try await LabStudio().onePhoto().fileDataRepresentation() != nil)
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv])
  func takesALargerStillAndGoesBackToTheStream(format: PixelFormat) async throws {
    let large = VideoDimensions(width: 1280, height: 720)
    let studio = try LabStudio(format)
    studio.photos.maxPhotoDimensions = large
    try await studio.session.start()
    await studio.tap.frames(2)
    let settings = CapturePhotoSettings(timeout: LabStudio.patience)
    settings.maxPhotoDimensions = large

    let photo = try await studio.photos.capturePhoto(with: settings)
    await studio.tap.frames(2)
    let usual = try await studio.photo()

    await studio.session.stop()
    #expect(photo.resolvedSettings.photoDimensions == large)
    #expect(try FrameNumber.read(photo) != nil)
    #expect(usual.resolvedSettings.photoDimensions == LabStudio.smallSize)
    #expect(studio.session.lastError == nil)
  }

  @Test func endsALargerStillOnceWhenTheCameraIsUnplugged() async throws {
    let large = VideoDimensions(width: 1280, height: 720)
    let studio = try LabStudio()
    let diary = PhotoDiary()
    studio.photos.maxPhotoDimensions = large
    try await studio.session.start()
    await studio.tap.frames(2)
    try await camera.tell("empty 1000")
    let settings = CapturePhotoSettings(timeout: .seconds(50))
    settings.maxPhotoDimensions = large
    studio.photos.capturePhoto(with: settings, delegate: diary)
    await diary.hasBegun()

    try await camera.tell("unplug")
    let entries = await diary.finished()

    #expect(entries.calls == ["willBegin", "didFinishProcessing", "didFinish"])
    // Pulled while the format changes: the driver says of its device that it does not answer, and
    // only a moment later that it is gone.
    #expect(
      entries.errors == [.disconnected, .disconnected]
        || entries.errors == [.streamFailed, .streamFailed])
    try await until("the camera is gone") { DiscoveryLabTests.cameras.isEmpty }
    try await camera.tell("empty 0")
    try await camera.tell("plug")
    try await until("the camera is back") { DiscoveryLabTests.cameras.count == 1 }
  }

  @Test func showsTheMomentOfTheRequest() async throws {
    let studio = try LabStudio()
    studio.photos.isZeroShutterLagEnabled = true
    try await studio.session.start()
    await studio.tap.frames(5)

    let photo = try await studio.photo()

    await studio.session.stop()
    #expect(photo.precedesRequest)
    #expect(try FrameNumber.read(photo) != nil)
  }
}
