import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Synchronization
import Testing

/// The first photo after a start waits until the camera's pictures have settled, and no longer.
@Suite(.timeLimit(.minutes(1)))
struct PhotoSettlingTests {
  static func studio(_ format: PixelFormat, bound: Duration) async throws -> Studio {
    let camera = MockCamera(frames: .testPattern(format, width: 320, height: 240))
    camera.settlingTime = bound
    camera.script = [.blackFrames(first: 8)]
    let studio = try await Studio(camera, clock: ManualClock())
    try await studio.session.start()
    return studio
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv, .nv12, .grey, .rgb24])
  func takesTheFirstFrameThatIsSeenToHaveSettled(format: PixelFormat) async throws {
    let studio = try await Self.studio(format, bound: .seconds(10))
    let recorder = studio.takePhoto()

    let log = await studio.clock.advancing { await recorder.finished }

    let number = try #require(try log.photo.flatMap(PhotoFreshnessTests.frameNumber))
    #expect((13...250).contains(number))
    await studio.session.stop()
  }

  @Test func waitsNoLongerThanItsBound() async throws {
    let studio = try await Self.studio(.yuyv, bound: .milliseconds(100))
    let recorder = studio.takePhoto()

    let log = await studio.clock.advancing { await recorder.finished }

    // Black still, but the user has waited for long enough.
    #expect(log.photo?.fileDataRepresentation() != nil)
    #expect(try log.photo.flatMap(PhotoFreshnessTests.frameNumber) == nil)
    await studio.session.stop()
  }

  @Test(arguments: [true, false])
  func waitsAnewAfterARestart(isHurried: Bool) async throws {
    let camera = MockCamera(frames: .testPattern(.yuyv, width: 320, height: 240))
    camera.settlingTime = .seconds(10)
    let studio = try await Studio(camera, clock: ManualClock())
    try await studio.session.start()
    let first = studio.takePhoto()
    _ = await studio.clock.advancing { await first.finished }

    camera.script = [.silence]
    let settings = CapturePhotoSettings(timeout: .seconds(600))
    if isHurried { settings.photoQualityPrioritization = .speed }
    let recorder = studio.takePhoto(settings)
    await studio.clock.pass(waiters: 2) { studio.session.statistics.restarts == 1 }
    camera.script = [.blackFrames(first: 8)]
    let log = await studio.clock.advancing { await recorder.finished }

    let number = try log.photo.flatMap(PhotoFreshnessTests.frameNumber)
    #expect(log.finalError == nil && (number == nil) == isHurried)
    await studio.session.stop()
  }

  /// A camera that stalls from its start on, and is restarted five seconds later.
  private static func stallingStudio(settling: Duration) async throws -> Studio {
    let camera = MockCamera(frames: .testPattern(.yuyv, width: 320, height: 240))
    camera.settlingTime = settling
    camera.script = [.silence]
    let studio = try await Studio(camera, clock: ManualClock())
    try await studio.session.start()
    return studio
  }

  @Test func hasTheTimeThatItNeedsAfterARestart() async throws {
    // Its time is up eleven seconds after the start, and the stall is noticed after five.
    let studio = try await Self.stallingStudio(settling: .seconds(10))
    let start = studio.clock.now
    let recorder = studio.takePhoto(CapturePhotoSettings(timeout: .seconds(1)))

    await studio.clock.pass(waiters: 2) { start.duration(to: studio.clock.now) >= .seconds(6) }
    // The clock must not run ahead while the camera's thread restarts it and sees the new script:
    // until then it seems to wait for a frame of the old one.
    while studio.session.statistics.restarts == 0 { await Task.yield() }
    studio.camera.script = [.blackFrames(first: 1000)]
    await studio.clock.passSlowly { studio.session.statistics.delivered > 0 }
    let log = await studio.clock.advancing { await recorder.finished }

    #expect(log.finalError == nil)
    await studio.session.stop()
  }

  @Test(arguments: [Duration.zero, .seconds(1)])
  func hasNoMoreTimeAfterARestartThanItNeeds(settling: Duration) async throws {
    let studio = try await Self.stallingStudio(settling: settling)
    let start = studio.clock.now
    let isOver = Atomic(false)
    let recorder = studio.takePhoto(CapturePhotoSettings(timeout: .seconds(7)))
    let waiting = Task {
      defer { isOver.store(true, ordering: .releasing) }
      return await recorder.finished
    }

    await studio.clock.pass(waiters: 2) { isOver.load(ordering: .acquiring) }

    #expect(await waiting.value.finalError?.code == .timedOut)
    #expect(start.duration(to: studio.clock.now) < .seconds(10))
    await studio.session.stop()
  }

  @Test func doesNotWaitWhereSpeedCounts() async throws {
    let studio = try await Self.studio(.yuyv, bound: .seconds(10))
    let settings = CapturePhotoSettings()
    settings.photoQualityPrioritization = .speed
    let recorder = studio.takePhoto(settings)

    let log = await studio.clock.advancing { await recorder.finished }

    #expect(log.photo?.fileDataRepresentation() != nil)
    #expect(try log.photo.flatMap(PhotoFreshnessTests.frameNumber) == nil)
    await studio.session.stop()
  }

  @Test func refusesMorePriorityThanTheOutputAllows() async throws {
    let studio = try await Studio()
    try await studio.session.start()
    let settings = CapturePhotoSettings()
    settings.photoQualityPrioritization = .quality

    #expect(await studio.takePhoto(settings).finished.finalError?.code == .unsupportedSettings)

    studio.photos.maxPhotoQualityPrioritization = .quality
    let again = CapturePhotoSettings(from: settings)
    #expect(await studio.takePhoto(again).finished.finalError == nil)
    await studio.session.stop()
  }

  @Test func findsNoiseInAJPEGWhereQualityCounts() async throws {
    let pattern = try #require(
      TestPattern(width: 320, height: 240).pixelBuffer(frame: 7, format: .yuyv))
    let sound = try JPEGEncoder().encode(pattern)
    var noisy = sound
    let middle = noisy.count / 2
    for index in middle..<middle + 400 where noisy[index] != 0xFF && noisy[index - 1] != 0xFF {
      noisy[index] = UInt8(truncatingIfNeeded: index &* 31) & 0x7F
    }
    let isSound = JPEGPassthrough.isSound(noisy.bytes)
    let isWhole = JPEGPassthrough.isWhole(noisy.bytes)
    #expect(!isSound && isWhole)
    let camera = MockCamera(frames: .jpegData([noisy, noisy, sound]))
    let studio = try await Studio(camera)
    studio.photos.maxPhotoQualityPrioritization = .quality
    try await studio.session.start()
    let settings = CapturePhotoSettings()
    settings.photoQualityPrioritization = .quality

    let photo = try await studio.photos.capturePhoto(with: settings)

    #expect(TestPattern.frameNumber(in: try photo.image.pixelBuffer()) == 7)
    await studio.session.stop()
  }
}
