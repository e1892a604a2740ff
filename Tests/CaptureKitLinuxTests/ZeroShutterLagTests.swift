import CaptureKitMocks
import Imaging
import Testing

@testable import CaptureKitLinux

/// Photos that show the moment when they were asked for.
@Suite(.timeLimit(.minutes(1)))
struct ZeroShutterLagTests {
  /// A running studio on a clock that stands still when ten frames have come.
  static func studio(_ format: PixelFormat = .mjpeg) async throws -> (Studio, FrameTap) {
    let studio = try await Studio(
      MockCamera(frames: .testPattern(format, width: 320, height: 240)), clock: ManualClock())
    let tap = FrameTap()
    try studio.session.add(tap)
    studio.photos.isZeroShutterLagEnabled = true
    try await studio.session.start()
    await studio.clock.advancing(waiters: 1) { await tap.frames(10) }
    return (studio, tap)
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv])
  func takesTheNewestFrame(format: PixelFormat) async throws {
    let (studio, _) = try await Self.studio(format)
    let now = studio.clock.now

    let photo = try await studio.photos.capturePhoto(with: CapturePhotoSettings())

    #expect(photo.precedesRequest)
    #expect(try #require(photo.timestamp).time <= now)
    #expect(try #require(try PhotoFreshnessTests.frameNumber(in: photo)) >= 9)
    await studio.session.stop()
  }

  @Test func takesTheFrameBeforeADamagedOne() async throws {
    let studio = try await Studio(
      MockCamera(frames: .testPattern(.mjpeg, width: 320, height: 240)), clock: ManualClock())
    let tap = FrameTap()
    try studio.session.add(tap)
    studio.photos.isZeroShutterLagEnabled = true
    studio.camera.script = (0..<100).filter { $0 % 2 == 1 }.map { MockEvent.truncatedJPEG(at: $0) }
    try await studio.session.start()
    await studio.clock.advancing(waiters: 1) { await tap.frames(10) }

    let photo = try await studio.photos.capturePhoto(with: CapturePhotoSettings())

    #expect(photo.precedesRequest)
    #expect(try #require(try PhotoFreshnessTests.frameNumber(in: photo)) % 2 == 0)
    await studio.session.stop()
  }

  @Test func waitsWhereTheFramesAreTooOld() async throws {
    let (studio, _) = try await Self.studio()
    // As with a camera that hangs: the last frame was a second ago when the photo is asked for.
    studio.camera.script = (0..<100).map { MockEvent.dropFrame(at: $0) }
    await studio.clock.waitForWork()
    studio.clock.advance(by: .seconds(1))
    let recorder = studio.takePhoto()

    let log = await studio.clock.advancing { await recorder.finished }

    #expect(log.photo?.precedesRequest == false)
    #expect(log.photo?.fileDataRepresentation() != nil)
    await studio.session.stop()
  }

  @Test func keepsTheLastThreeFrames() throws {
    var recent = RecentFrames()
    let frames = try (0..<10).map { try FramePixelsTests.raw($0) }
    for frame in frames { recent.add(frame) }
    let now = try #require(frames.last).timestamp.time

    #expect(recent.candidates(at: now).map(\.sequence) == [9, 8, 7])
    #expect(recent.candidates(at: now.advanced(by: .seconds(1))).isEmpty)
  }

  @Test func isOffUntilItIsSet() async throws {
    let (studio, _) = try await Self.studio()
    studio.photos.isZeroShutterLagEnabled = false
    let recorder = studio.takePhoto()

    let log = await studio.clock.advancing { await recorder.finished }

    #expect(log.photo?.precedesRequest == false)
    await studio.session.stop()
  }

  @Test func doesNotKeepTheCamerasBuffers() async throws {
    let (studio, tap) = try await Self.studio(.yuyv)

    await studio.clock.advancing(waiters: 1) { await tap.frames(30) }

    #expect(studio.camera.counters.framesLost == 0)
    await studio.session.stop()
  }
}
