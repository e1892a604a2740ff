import CaptureKitMocks
import Imaging
import Synchronization
import Testing

@testable import CaptureKitLinux

/// Stills that are larger than what the camera streams.
@Suite(.timeLimit(.minutes(1)))
struct LargerStillTests {
  static let small = VideoDimensions(width: 320, height: 240)
  static let middle = VideoDimensions(width: 640, height: 480)
  static let large = VideoDimensions(width: 1280, height: 720)

  static func format(_ pixelFormat: PixelFormat, _ size: VideoDimensions) -> CaptureDevice.Format {
    let duration = FrameDuration.framesPerSecond(30).map { [$0...$0] } ?? []
    return CaptureDevice.Format(pixelFormat, dimensions: size, frameDurations: duration)
  }

  /// What an output beside the photo output sees.
  final class Sizes: Sendable {
    let seen = Mutex<Set<VideoDimensions>>([])
  }

  static func studio(
    sizes: Sizes = Sizes(), _ pixelFormat: PixelFormat = .mjpeg
  ) async throws -> (Studio, FrameTap) {
    let camera = MockCamera(
      frames: .testPattern(pixelFormat, width: 320, height: 240),
      formats: [small, middle, large].map { format(pixelFormat, $0) })
    let studio = try await Studio(camera)
    let tap = FrameTap { frame in sizes.seen.withLock { _ = $0.insert(frame.dimensions) } }
    try studio.session.add(tap)
    try studio.device.lockForConfiguration()
    try studio.device.setActiveFormat(format(pixelFormat, small))
    studio.device.unlockForConfiguration()
    studio.photos.maxPhotoDimensions = large
    try await studio.session.start()
    return (studio, tap)
  }

  static func settings(_ size: VideoDimensions) -> CapturePhotoSettings {
    let settings = CapturePhotoSettings()
    settings.maxPhotoDimensions = size
    return settings
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv])
  func interruptsTheStreamAndGoesBack(format: PixelFormat) async throws {
    let sizes = Sizes()
    let (studio, tap) = try await Self.studio(sizes: sizes, format)
    await tap.frames(3)

    let log = await studio.takePhoto(Self.settings(Self.large)).finished

    #expect(log.calls == CapturePhotoOutputTests.allCalls)
    #expect(log.photo?.resolvedSettings.photoDimensions == Self.large)
    #expect(try log.photo?.image.pixelWidth == 1280)
    #expect(try log.photo.flatMap(PhotoFreshnessTests.frameNumber) != nil)
    await tap.frames(3)
    #expect(sizes.seen.withLock { $0 } == [Self.small])
    #expect(tap.drops.contains(.discontinuity))
    let usual = try await studio.photos.capturePhoto(with: CapturePhotoSettings())
    #expect(usual.resolvedSettings.photoDimensions == Self.small)
    #expect(studio.camera.counters.started == 3)
    await studio.session.stop()
  }

  @Test func takesNoLargerPictureThanWasAskedFor() async throws {
    let (studio, _) = try await Self.studio()

    let photo = try await studio.photos.capturePhoto(with: Self.settings(Self.middle))

    #expect(photo.resolvedSettings.photoDimensions == Self.middle)
    await studio.session.stop()
  }

  @Test func leavesTheStreamAloneWhereNothingIsLarger() async throws {
    let (studio, _) = try await Self.studio()

    let photo = try await studio.photos.capturePhoto(
      with: Self.settings(VideoDimensions(width: 400, height: 300)))

    #expect(photo.resolvedSettings.photoDimensions == Self.small)
    #expect(studio.camera.counters.started == 1)
    await studio.session.stop()
  }

  @Test func refusesMoreThanTheOutputAllows() async throws {
    let (studio, _) = try await Self.studio()
    studio.photos.maxPhotoDimensions = Self.middle

    let log = await studio.takePhoto(Self.settings(Self.large)).finished

    #expect(log.finalError?.code == .unsupportedSettings)
    await studio.session.stop()
  }

  @Test func takesABurstInOneStay() async throws {
    let (studio, _) = try await Self.studio()
    let settings = Self.settings(Self.middle)
    settings.burstCount = 3

    let log = await studio.takePhoto(settings).finished

    #expect(
      log.photos.map(\.resolvedSettings.photoDimensions) == [Self.middle, Self.middle, Self.middle])
    #expect(log.finalError == nil)
    await studio.session.stop()
  }

  @Test func makesUpForADamagedStill() async throws {
    let (studio, tap) = try await Self.studio()
    await tap.frames(2)
    studio.camera.script = [.truncatedJPEG(at: 0), .truncatedJPEG(at: 1), .truncatedJPEG(at: 2)]

    let log = await studio.takePhoto(Self.settings(Self.large)).finished

    #expect(log.finalError == nil)
    #expect(try log.photo.flatMap(PhotoFreshnessTests.frameNumber) != nil)
    await studio.session.stop()
  }

  @Test func endsOnceWhenTheCameraIsUnpluggedMeanwhile() async throws {
    let (studio, tap) = try await Self.studio()
    await tap.frames(2)
    studio.camera.script = [.slowStart(.seconds(30))]
    let recorder = studio.takePhoto(Self.settings(Self.large))
    while studio.camera.counters.started < 2 { await Task.yield() }

    studio.camera.unplug()

    let log = await recorder.finished
    #expect(log.calls == CapturePhotoOutputTests.failureCalls)
    #expect(log.finalError?.code == .disconnected)
  }

  @Test func endsOnceWhenTheSessionIsStoppedMeanwhile() async throws {
    let (studio, tap) = try await Self.studio()
    await tap.frames(2)
    studio.camera.script = [.slowStart(.seconds(30))]
    let recorder = studio.takePhoto(Self.settings(Self.large))
    while studio.camera.counters.started < 2 { await Task.yield() }

    await studio.session.stop()

    let log = await recorder.finished
    #expect(log.calls == CapturePhotoOutputTests.failureCalls)
    #expect(log.finalError?.code == .stopped)
  }

  @Test func servesOneAfterTheOther() async throws {
    let (studio, _) = try await Self.studio()
    let recorders = [Self.large, Self.middle, Self.large].map {
      studio.takePhoto(Self.settings($0))
    }
    let usual = studio.takePhoto()

    for (recorder, size) in zip(recorders, [Self.large, Self.middle, Self.large]) {
      #expect(await recorder.finished.photo?.resolvedSettings.photoDimensions == size)
    }
    #expect(await usual.finished.photo?.resolvedSettings.photoDimensions == Self.small)
    await studio.session.stop()
  }

  // MARK: Which format

  static let formats = [
    format(.yuyv, large), format(.mjpeg, large), format(.mjpeg, middle), format(.yuyv, small),
    CaptureDevice.Format(
      .nv12, from: small, through: VideoDimensions(width: 4000, height: 3000),
      by: VideoDimensions(width: 16, height: 8)),
    format(PixelFormat(rawValue: 1), VideoDimensions(width: 9000, height: 9000)),
  ]

  @Test(
    arguments: [
      (10_000, 10_000, PixelFormat.nv12, 4000, 3000), (1280, 720, .mjpeg, 1280, 720),
      (700, 500, .nv12, 688, 496), (100, 100, nil, 0, 0), (320, 240, nil, 0, 0),
    ] as [(Int, Int, PixelFormat?, Int, Int)])
  func isTheLargestWithinTheBound(
    width: Int, height: Int, pixelFormat: PixelFormat?, expectedWidth: Int, expectedHeight: Int
  ) {
    let format = StillFormat.choose(
      from: Self.formats, beyond: Self.small,
      atMost: VideoDimensions(width: width, height: height))

    #expect(format?.pixelFormat == pixelFormat)
    #expect((format?.dimensions.width ?? 0) == expectedWidth)
    #expect((format?.dimensions.height ?? 0) == expectedHeight)
  }

  @Test func takesALargerStillInAFormatThatHasToBeConverted() throws {
    let formats = [
      Self.format(.yuyv, Self.small),
      Self.format(PixelFormat(rawValue: 0x4742_5247), Self.large).converted(as: .libv4lconvert),
    ]

    let still = try #require(
      StillFormat.choose(from: formats, beyond: Self.small, atMost: Self.large))
    let readable = formats + [Self.format(.yuyv, Self.large)]

    #expect(still.dimensions == Self.large)
    #expect(
      StillFormat.choose(from: readable, beyond: Self.small, atMost: Self.large)?.pixelFormat
        == .yuyv)
  }
}
