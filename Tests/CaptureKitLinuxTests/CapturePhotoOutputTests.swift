import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CapturePhotoOutputTests {
  static let allCalls = [
    "willBegin", "willCapture", "didCapture", "didFinishProcessing", "didFinish",
  ]
  static let failureCalls = ["willBegin", "didFinishProcessing", "didFinish"]

  // MARK: Three forms of one thing

  @Test func tellsTheDelegateEverythingInOrder() async throws {
    let studio = try await Studio()
    try await studio.session.start()
    let settings = CapturePhotoSettings()

    let log = await studio.takePhoto(settings).finished

    #expect(log.calls == Self.allCalls)
    #expect(log.settingsIDs == [settings.uniqueID])
    #expect(log.processingError == nil && log.finalError == nil)
    #expect(log.photo?.fileDataRepresentation() != nil)
    await studio.session.stop()
  }

  @Test func callsTheClosureOnce() async throws {
    let studio = try await Studio()
    try await studio.session.start()

    try await confirmation { called in
      let photo = try await withCheckedThrowingContinuation { continuation in
        studio.photos.capturePhoto(with: CapturePhotoSettings()) {
          called()
          continuation.resume(with: $0)
        }
      }
      #expect(photo.fileDataRepresentation() != nil)
    }
    await studio.session.stop()
  }

  @Test func takesAPhotoAsynchronously() async throws {
    let studio = try await Studio()
    try await studio.session.start()

    let photo = try await studio.photos.capturePhoto(with: CapturePhotoSettings())

    let pixels = try photo.image.pixelBuffer()
    #expect(pixels.width == 320 && pixels.height == 240)
    #expect(
      photo.resolvedSettings.photoDimensions == VideoDimensions(width: 320, height: 240))
    await studio.session.stop()
  }

  // MARK: Refused

  @Test func refusesReusedSettings() async throws {
    let studio = try await Studio()
    try await studio.session.start()
    let settings = CapturePhotoSettings()
    _ = await studio.takePhoto(settings).finished

    let log = await studio.takePhoto(settings).finished

    #expect(log.calls == Self.failureCalls)
    #expect(log.processingError?.code == .settingsReused)
    #expect(log.finalError?.code == .settingsReused)
    #expect(log.photo?.fileDataRepresentation() == nil)
    await studio.session.stop()
  }

  @Test func refusesWhileTheSessionDoesNotRun() async throws {
    let studio = try await Studio()

    let log = await studio.takePhoto().finished

    #expect(log.calls == Self.failureCalls)
    #expect(log.finalError?.code == .notRunning)
  }

  @Test func refusesWithoutAConnection() async throws {
    let photos = CapturePhotoOutput()

    await #expect { try await photos.capturePhoto(with: CapturePhotoSettings()) } throws: {
      ($0 as? CaptureError)?.code == .noConnection
    }
  }

  @Test func refusesOverADisabledConnection() async throws {
    let studio = try await Studio()
    try await studio.session.start()
    try #require(studio.photos.connection(with: .video)).isEnabled = false

    let log = await studio.takePhoto().finished

    #expect(log.finalError?.code == .noConnection)
    await studio.session.stop()
  }

  // MARK: Each request ends

  @Test func endsWhenTheCameraIsUnplugged() async throws {
    let studio = try await Studio()
    studio.camera.script = [.stall(afterFrame: 0, for: .seconds(30))]
    try await studio.session.start()
    let recorder = studio.takePhoto()

    studio.camera.unplug()

    let log = await recorder.finished
    #expect(log.calls.first == "willBegin" && log.calls.last == "didFinish")
    #expect(log.finalError?.code == .disconnected)
  }

  @Test func saysThatTheCameraIsGoneToWhoAsksAfterwards() async throws {
    let studio = try await Studio()
    let tap = FrameTap()
    try studio.session.add(tap)
    try await studio.session.start()
    studio.camera.unplug()
    while tap.ends.isEmpty { await tap.frames(1) }

    let log = await studio.takePhoto().finished

    #expect(log.calls == Self.failureCalls)
    #expect(log.finalError?.code == .disconnected)
  }

  @Test func endsWhenTheSessionIsStopped() async throws {
    let studio = try await Studio()
    studio.camera.script = [.slowStart(.seconds(30))]
    try await studio.session.start()
    let recorder = studio.takePhoto()

    await studio.session.stop()

    let log = await recorder.finished
    #expect(log.calls == Self.failureCalls)
    #expect(log.finalError?.code == .stopped)
  }

  @Test func endsWhenTheSessionGoesAway() async throws {
    let camera = MockCamera(frames: .testPattern(.yuyv, width: 320, height: 240))
    camera.script = [.slowStart(.seconds(30))]
    let recorder: PhotoRecorder
    do {
      let studio = try await Studio(camera)
      try await studio.session.start()
      recorder = studio.takePhoto()
    }

    let log = await recorder.finished
    #expect(log.calls == Self.failureCalls)
    #expect(log.finalError?.code == .stopped)
  }

  @Test func endsWhenTheOutputIsRemoved() async throws {
    let studio = try await Studio()
    studio.camera.script = [.slowStart(.seconds(30))]
    try await studio.session.start()
    let recorder = studio.takePhoto()

    studio.session.removeOutput(studio.photos)

    #expect(await recorder.finished.finalError?.code == .noConnection)
    await studio.session.stop()
  }

  @Test func keepsAWaitingPhotoUntilTheBatchThatEndsItIsCommitted() async throws {
    let studio = try await Studio()
    studio.camera.script = [.slowStart(.milliseconds(300))]
    try await studio.session.start()
    let recorder = studio.takePhoto()

    #expect(throws: CaptureError.self) {
      try studio.session.configure {
        studio.session.removeOutput(studio.photos)
        throw CaptureError(.backendFailed)
      }
    }

    #expect(await recorder.finished.finalError == nil)
    await studio.session.stop()
  }

  @Test func refusesMoreThanItCanKeepTrackOf() async throws {
    let studio = try await Studio(clock: ManualClock())
    studio.camera.script = [.slowStart(.seconds(30))]
    try await studio.session.start()
    let recorders = (0..<65).map { _ in studio.takePhoto() }

    #expect(await recorders[64].finished.finalError?.code == .tooManyPhotos)
    await studio.session.stop()
    #expect(await recorders[63].finished.finalError?.code == .stopped)
  }

  @Test(arguments: [Double.nan, -3, 7, .infinity])
  func takesAnyQualityAndAnyTimeout(quality: Double) {
    let settings = CapturePhotoSettings(quality: quality, timeout: .seconds(Int64.max))

    #expect(settings.quality.map { (0...1).contains($0) } ?? true)
    #expect(settings.timeout <= .seconds(3600))
  }

  @Test func endsAtTheDeadline() async throws {
    let clock = ManualClock()
    let studio = try await Studio(clock: clock)
    studio.camera.script = [.slowStart(.seconds(3600))]
    try await studio.session.start()
    let recorder = studio.takePhoto(CapturePhotoSettings(timeout: .seconds(7)))

    clock.advance(by: .seconds(7))

    let log = await recorder.finished
    #expect(log.calls == Self.failureCalls)
    #expect(log.finalError?.code == .timedOut)
    await studio.session.stop()
  }

  @Test func endsWhenTheTaskIsCancelled() async throws {
    let studio = try await Studio()
    studio.camera.script = [.slowStart(.seconds(30))]
    try await studio.session.start()

    let task = Task { try await studio.photos.capturePhoto(with: CapturePhotoSettings()) }
    task.cancel()

    await #expect(throws: CancellationError.self) { try await task.value }
    await studio.session.stop()
  }

  @Test func keepsManyRequestsApart() async throws {
    let studio = try await Studio()
    try await studio.session.start()
    let recorders = (0..<8).map { _ in studio.takePhoto() }

    for recorder in recorders {
      let log = await recorder.finished
      #expect(log.calls == Self.allCalls)
      #expect(log.settingsIDs.count == 1)
    }
    await studio.session.stop()
  }

  // MARK: Callbacks may do anything

  @Test func letsACallbackStopAndStartTheSession() async throws {
    let studio = try await Studio()
    try await studio.session.start()

    let photo: CapturePhoto = try await withCheckedThrowingContinuation { continuation in
      studio.photos.capturePhoto(with: CapturePhotoSettings()) { _ in
        studio.session.stopRunning()
        studio.session.startRunning()
        studio.photos.capturePhoto(with: CapturePhotoSettings()) {
          continuation.resume(with: $0)
        }
      }
    }

    #expect(photo.fileDataRepresentation() != nil)
    await studio.session.stop()
  }
}
