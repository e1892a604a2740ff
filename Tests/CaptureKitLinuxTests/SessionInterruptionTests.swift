import CaptureKitLinux
import CaptureKitMocks
import Testing

/// A camera that cannot be had for a while.
@Suite(.timeLimit(.minutes(1)))
struct SessionInterruptionTests {
  private typealias Rig = RecoveryRig

  @Test func goesOnWhenTheSignalIsBack() async throws {
    let lost = CaptureError(.noSignal)
    let rig = try await Rig([.fails(afterFrame: 5, lost), .failsToStart(lost)])
    let begun = NoticeCounter(CaptureSession.wasInterruptedNotification, of: rig.session)
    let ended = NoticeCounter(CaptureSession.interruptionEndedNotification, of: rig.session)
    rig.studio.camera.script = [.fails(afterFrame: 5, lost)]
    try await rig.session.start()
    rig.studio.camera.script = [.fails(afterFrame: 5, lost), .failsToStart(lost)]

    await rig.pass { rig.session.isInterrupted }
    #expect(rig.session.state == .interrupted([.noSignal]))
    #expect(!rig.session.isRunning)
    #expect(!rig.session.connections.contains { $0.isActive })
    await rig.pass { rig.clock.now > HostTime(nanoseconds: 60_000_000_000) }
    rig.studio.camera.script = []
    await rig.pass { rig.session.isRunning && rig.session.state == .running }

    #expect(rig.session.statistics.interruptions == 1)
    await rig.session.stop()
    #expect(await begun.settled == 1)
    #expect(await ended.settled == 1)
    #expect(begun.reasons == [CaptureSession.InterruptionReason.noSignal.rawValue])
  }

  @Test func waitsForACameraThatIsInUse() async throws {
    let rig = try await Rig([.busy])
    await #expect(throws: CaptureError.self) { try await rig.session.start() }
    #expect(rig.session.state == .stopped)

    rig.session.startRunning()
    #expect(rig.session.state == .interrupted([.videoDeviceInUseByAnotherClient]))
    #expect(rig.session.lastError?.code == .inUse)
    #expect(rig.tap.starts == 0)
    rig.studio.camera.script = []
    await rig.pass { rig.tap.frameCount >= 3 }

    #expect(rig.session.isRunning && rig.session.state == .running)
    #expect(rig.tap.starts == 1 && !rig.tap.drops.contains(.discontinuity))
    await rig.session.stop()
  }

  @Test func looksAtOnceWhenItIsStartedAgain() async throws {
    let rig = try await Rig([.busy])
    rig.session.startRunning()
    #expect(rig.session.isInterrupted)
    rig.studio.camera.script = []

    // Nobody moves the clock.
    rig.session.startRunning()

    while rig.studio.camera.counters.started == 0 {
      try Task.checkCancellation()
      await Task.yield()
    }
    await rig.session.stop()
  }

  @Test func saysWhyItWaitsToWhoStartsItAgain() async throws {
    let rig = try await Rig([.busy])
    rig.session.startRunning()

    let error = await #expect(throws: CaptureError.self) { try await rig.session.start() }

    #expect(error?.code == .inUse && rig.session.isInterrupted)
    rig.session.stopRunning()
  }

  @Test func stopsAtOnceWhileItWaits() async throws {
    let rig = try await Rig([.busy])
    rig.session.startRunning()
    #expect(rig.session.isInterrupted)

    // Nobody moves the clock.
    rig.session.stopRunning()

    #expect(rig.session.state == .stopped)
  }

  @Test func tellsNewPhotosWhyThereAreNone() async throws {
    let rig = try await Rig([.busy])
    rig.session.startRunning()
    await #expect {
      _ = try await rig.studio.photos.capturePhoto(with: CapturePhotoSettings())
    } throws: {
      ($0 as? CaptureError)?.code == .inUse
    }
    rig.session.stopRunning()
  }
}
