import CaptureKitLinux
import CaptureKitMocks
import Imaging
import Synchronization
import Testing

/// Several photos of one request.
@Suite(.timeLimit(.minutes(1)))
struct PhotoBurstTests {
  static func burst(_ count: Int) -> CapturePhotoSettings {
    let settings = CapturePhotoSettings()
    settings.burstCount = count
    return settings
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv])
  func hasConsecutiveExposures(format: PixelFormat) async throws {
    let studio = try await Studio(
      MockCamera(frames: .testPattern(format, width: 320, height: 240)), clock: ManualClock())
    try await studio.session.start()
    let recorder = studio.takePhoto(Self.burst(5))

    let log = await studio.clock.advancing { await recorder.finished }

    #expect(
      log.calls.filter { $0 != "didFinishProcessing" } == [
        "willBegin", "willCapture", "didCapture", "didFinish",
      ])
    #expect(log.photos.map(\.photoCount) == [1, 2, 3, 4, 5])
    #expect(log.photos.allSatisfy { $0.resolvedSettings.expectedPhotoCount == 5 })
    let numbers = try log.photos.compactMap { try PhotoFreshnessTests.frameNumber(in: $0) }
    let first = try #require(numbers.first)
    #expect(numbers == Array(first..<first + 5))
    await studio.session.stop()
  }

  @Test func comesOneByOne() async throws {
    let studio = try await Studio()
    try await studio.session.start()

    var counts: [Int] = []
    for try await photo in studio.photos.capturePhotos(with: Self.burst(3)) {
      counts.append(photo.photoCount)
    }

    #expect(counts == [1, 2, 3])
    await studio.session.stop()
  }

  @Test func makesUpForADamagedFrame() async throws {
    let studio = try await Studio(
      MockCamera(frames: .testPattern(.mjpeg, width: 320, height: 240)))
    studio.camera.script = (0..<60).filter { $0 % 2 == 0 }.map { MockEvent.truncatedJPEG(at: $0) }
    try await studio.session.start()

    let log = await studio.takePhoto(Self.burst(3)).finished

    #expect(log.photos.count == 3 && log.finalError == nil)
    for photo in log.photos { #expect(try PhotoFreshnessTests.frameNumber(in: photo) != nil) }
    await studio.session.stop()
  }

  @Test(arguments: [1, 2, 30])
  func endsAtItsDeadlineWhereEveryFrameIsDamaged(count: Int) async throws {
    let studio = try await Studio(
      MockCamera(frames: .testPattern(.mjpeg, width: 320, height: 240)), clock: ManualClock())
    studio.camera.script = (0..<2000).map { MockEvent.truncatedJPEG(at: $0) }
    try await studio.session.start()
    let start = studio.clock.now
    let isOver = Atomic(false)
    let recorder = studio.takePhoto(Self.burst(count))
    let watch = Task {
      let log = await recorder.finished
      isOver.store(true, ordering: .releasing)
      return log
    }

    await studio.clock.pass(waiters: 2) {
      isOver.load(ordering: .acquiring)
        || start.duration(to: studio.clock.now) > .seconds(30)
    }

    #expect(start.duration(to: studio.clock.now) < .seconds(30))
    await studio.session.stop()
    let log = await watch.value
    #expect(log.finalError?.code == .corruptFrame)
    #expect(log.photos.map(\.photoCount) == Array(1...count))
  }

  @Test func saysOfEachPhotoWhatHasBecomeOfItWhenTheCameraIsUnplugged() async throws {
    let studio = try await Studio()
    studio.camera.script = [.unplug(afterFrame: 20)]
    // On a busy machine the camera might be gone before exposure is seen to have settled.
    studio.photos.settlingTime = .zero
    try await studio.session.start()

    let log = await studio.takePhoto(Self.burst(30)).finished

    #expect(log.calls.filter { $0 == "didFinishProcessing" }.count == 30)
    for call in ["willBegin", "willCapture", "didCapture", "didFinish"] {
      #expect(log.calls.filter { $0 == call }.count == 1, "\(call)")
    }
    #expect(log.calls.first == "willBegin" && log.calls.last == "didFinish")
    #expect(log.photos.map(\.photoCount) == Array(1...30))
    #expect(log.photos.first?.fileDataRepresentation() != nil)
    #expect(log.photos.last?.fileDataRepresentation() == nil)
    #expect(log.finalError?.code == .disconnected)
  }

  @Test func endsWhenNobodyLooksAnyMore() async throws {
    let studio = try await Studio(clock: ManualClock())
    studio.camera.script = [.slowStart(.seconds(3600))]
    try await studio.session.start()
    let photos = studio.photos
    let task = Task {
      for try await _ in photos.capturePhotos(with: Self.burst(3)) {}
    }
    while studio.photos.captureReadiness == .ready { await Task.yield() }

    task.cancel()
    _ = await task.result

    while studio.photos.captureReadiness != .ready { await Task.yield() }
    await studio.session.stop()
  }

  @Test(arguments: [0, -1, 31, Int.max, Int.min])
  func refusesACountThatCannotBe(count: Int) async throws {
    let studio = try await Studio()
    try await studio.session.start()

    let log = await studio.takePhoto(Self.burst(count)).finished

    #expect(log.finalError?.code == .unsupportedSettings)
    #expect(log.calls.first == "willBegin" && log.calls.last == "didFinish")
    await studio.session.stop()
  }

  @Test func isNotTakenByACallForOnePhoto() async throws {
    let studio = try await Studio()
    try await studio.session.start()
    let settings = Self.burst(2)

    await #expect { try await studio.photos.capturePhoto(with: settings) } throws: {
      ($0 as? CaptureError)?.code == .unsupportedSettings
    }

    #expect(await studio.takePhoto(settings).finished.finalError == nil)
    await studio.session.stop()
  }
}
