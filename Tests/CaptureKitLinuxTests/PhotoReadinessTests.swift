import CaptureKitMocks
import Dispatch
import Synchronization
import Testing

@testable import CaptureKitLinux

/// What a shutter button shows.
@Suite(.timeLimit(.minutes(1)))
struct PhotoReadinessTests {
  typealias Readiness = CapturePhotoOutput.CaptureReadiness

  @Test(
    arguments: [
      (false, false, 0, 0, .sessionNotRunning), (true, false, 0, 0, .ready),
      (true, false, 1, 0, .notReadyWaitingForCapture),
      (true, true, 0, 0, .notReadyMomentarily), (true, true, 1, 0, .notReadyWaitingForCapture),
      (true, false, 0, 15, .ready), (true, false, 0, 16, .notReadyWaitingForProcessing),
      (false, false, 0, 16, .sessionNotRunning),
    ] as [(Bool, Bool, Int, Int, Readiness)])
  func followsWhatGoesOn(
    isRunning: Bool, isSwitching: Bool, waiting: Int, processing: Int, expected: Readiness
  ) {
    let readiness = PhotoReadiness(
      isRunning: isRunning, isSwitching: isSwitching, waitingCount: waiting,
      processingCount: processing)

    #expect(readiness.state == expected)
  }

  @Test func keepsNoMorePicturesInTheMakingThanItsBound() async throws {
    let studio = try await Studio()
    let tap = FrameTap()
    try studio.session.add(tap)
    studio.photos.settlingTime = .zero
    try await studio.session.start()
    let gate = DispatchSemaphore(value: 0)
    studio.photos.requests.pictures.async { gate.wait() }

    let recorder = studio.takePhoto(PhotoBurstTests.burst(30))
    func count() -> Int {
      studio.photos.requests.state.withLock { state in
        state.entries.reduce(0) { $0 + $1.machine.processingCount }
      }
    }
    while count() < PhotoReadiness.mostPictures { await Task.yield() }
    let before = tap.frameCount
    while tap.frameCount < before + 6 { await Task.yield() }

    #expect(count() == PhotoReadiness.mostPictures)
    #expect(studio.photos.captureReadiness == .notReadyWaitingForCapture)
    gate.signal()
    #expect(await recorder.finished.photos.count == 30)
    await studio.session.stop()
  }

  @Test func followsAPhoto() async throws {
    let clock = ManualClock()
    let studio = try await Studio(clock: clock)
    #expect(studio.photos.captureReadiness == .sessionNotRunning)
    studio.camera.script = [.slowStart(.seconds(3600))]
    try await studio.session.start()
    #expect(studio.photos.captureReadiness == .ready)

    let recorder = studio.takePhoto()
    #expect(studio.photos.captureReadiness == .notReadyWaitingForCapture)
    clock.advance(by: .seconds(10))
    _ = await recorder.finished

    #expect(studio.photos.captureReadiness == .ready)
    await studio.session.stop()
    #expect(studio.photos.captureReadiness == .sessionNotRunning)
  }

  @Test func tellsOfEachChange() async throws {
    let clock = ManualClock()
    let studio = try await Studio(clock: clock)
    studio.camera.script = [.slowStart(.seconds(3600))]
    var updates = studio.photos.captureReadinessUpdates.makeAsyncIterator()
    #expect(await updates.next() == .sessionNotRunning)

    try await studio.session.start()
    #expect(await updates.next() == .ready)
    let recorder = studio.takePhoto()
    #expect(await updates.next() == .notReadyWaitingForCapture)
    clock.advance(by: .seconds(10))
    _ = await recorder.finished
    #expect(await updates.next() == .ready)
    await studio.session.stop()
    #expect(await updates.next() == .sessionNotRunning)
  }

  @Test func countsARequestThatHasNotComeYet() async throws {
    let studio = try await Studio()
    let coordinator = CapturePhotoOutputReadinessCoordinator(photoOutput: studio.photos)
    let witness = ReadinessWitness()
    coordinator.delegate = witness
    try await studio.session.start()
    let (settings, forgotten) = (CapturePhotoSettings(), CapturePhotoSettings())

    coordinator.startTrackingCaptureRequest(using: forgotten)
    #expect(coordinator.captureReadiness == .notReadyMomentarily)
    coordinator.stopTrackingCaptureRequest(using: forgotten.uniqueID)
    #expect(coordinator.captureReadiness == .ready)
    coordinator.startTrackingCaptureRequest(using: settings)
    _ = await studio.takePhoto(settings).finished

    #expect(coordinator.captureReadiness == .ready)
    await witness.sees(.ready)
    await studio.session.stop()
    await witness.sees(.sessionNotRunning)
  }
}

/// Waits for what a coordinator tells.
private final class ReadinessWitness: CapturePhotoOutputReadinessCoordinatorDelegate {
  private let (stream, continuation) = AsyncStream<CapturePhotoOutput.CaptureReadiness>.makeStream()

  func sees(_ readiness: CapturePhotoOutput.CaptureReadiness) async {
    for await seen in stream where seen == readiness { return }
  }

  func readinessCoordinator(
    _ coordinator: CapturePhotoOutputReadinessCoordinator,
    captureReadinessDidChange captureReadiness: CapturePhotoOutput.CaptureReadiness
  ) {
    continuation.yield(captureReadiness)
  }
}
