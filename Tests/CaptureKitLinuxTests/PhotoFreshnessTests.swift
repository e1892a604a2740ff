import CaptureKitLinux
import CaptureKitMocks
import Imaging
import Testing

/// A photo never shows the time before its request.
@Suite(.timeLimit(.minutes(1)))
struct PhotoFreshnessTests {
  static func frameNumber(in photo: CapturePhoto) throws -> Int? {
    TestPattern.frameNumber(in: try photo.image.pixelBuffer())
  }

  @Test func leavesFramesThatWaitedInTheQueue() async throws {
    let studio = try await Studio()
    studio.camera.script = [.staleFrames(3)]
    try await studio.session.start()

    let photo = try await studio.photos.capturePhoto(with: CapturePhotoSettings())

    #expect(try #require(try Self.frameNumber(in: photo)) >= 3)
    await studio.session.stop()
  }

  @Test(arguments: [
    (FrameTimestamp.Reference.startOfExposure, false), (.endOfFrame, false), (.pickup, true),
  ])
  func takesAFrameExposedAfterTheRequest(
    reference: FrameTimestamp.Reference, isUnknown: Bool
  ) async throws {
    let studio = try await Studio()
    studio.camera.timestampReference = reference
    if isUnknown { studio.camera.script = [.unknownTimestamps] }
    try await studio.session.start()

    let requestedAt = HostTime.now
    let photo = try await studio.photos.capturePhoto(with: CapturePhotoSettings())

    let stamp = try #require(photo.timestamp)
    #expect(stamp.time > requestedAt)
    #expect(stamp.reference == reference)
    await studio.session.stop()
  }

  @Test func skipsFramesUntilExposureHasSettled() async throws {
    let camera = MockCamera(frames: .testPattern(.yuyv, width: 320, height: 240))
    camera.settlingTime = .milliseconds(200)
    camera.script = [.blackFrames(first: 4)]
    let studio = try await Studio(camera)
    let start = HostTime.now
    try await studio.session.start()

    let photo = try await studio.photos.capturePhoto(with: CapturePhotoSettings())

    #expect(try #require(photo.timestamp).time >= start.advanced(by: .milliseconds(200)))
    #expect(try #require(try Self.frameNumber(in: photo)) >= 4)
    await studio.session.stop()
  }

  @Test func letsTheUserSayHowLongSettlingTakes() async throws {
    let camera = MockCamera(frames: .testPattern(.yuyv, width: 320, height: 240))
    camera.settlingTime = .seconds(60)
    let studio = try await Studio(camera)
    studio.photos.settlingTime = .zero
    try await studio.session.start()

    let photo = try await studio.photos.capturePhoto(with: CapturePhotoSettings())

    #expect(photo.fileDataRepresentation() != nil)
    await studio.session.stop()
  }

  @Test func doesNotWaitForEverForABackendThatNeverSettles() async throws {
    let clock = ManualClock()
    let camera = MockCamera(frames: .testPattern(.yuyv, width: 320, height: 240))
    camera.settlingTime = .seconds(1 << 40)
    let studio = try await Studio(camera, clock: clock)
    try await studio.session.start()
    let recorder = studio.takePhoto()

    clock.advance(by: .seconds(12))

    #expect(await recorder.finished.photo?.fileDataRepresentation() != nil)
    await studio.session.stop()
  }

  @Test func makesUpForDamagedFrames() async throws {
    let studio = try await Studio(
      MockCamera(frames: .testPattern(.mjpeg, width: 320, height: 240)))
    studio.camera.script = (0..<6).map { MockEvent.truncatedJPEG(at: $0) }
    try await studio.session.start()

    let photo = try await studio.photos.capturePhoto(with: CapturePhotoSettings())

    #expect(try #require(try Self.frameNumber(in: photo)) >= 6)
    await studio.session.stop()
  }

  @Test func countsWhatTheDriverMarksAsDamaged() async throws {
    let studio = try await Studio()
    studio.camera.script = [.errorFlag(at: 0), .errorFlag(at: 1), .dropFrame(at: 2)]
    try await studio.session.start()

    let photo = try await studio.photos.capturePhoto(with: CapturePhotoSettings())

    #expect(try #require(try Self.frameNumber(in: photo)) >= 3)
    await studio.session.stop()
    let statistics = studio.session.statistics
    #expect(statistics.damaged == 2)
    #expect(statistics.lost >= 1)
  }
}
