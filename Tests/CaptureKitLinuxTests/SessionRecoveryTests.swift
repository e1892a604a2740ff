import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Synchronization
import Testing

/// A camera that stops sending pictures, on a clock that runs as fast as the test.
@Suite(.timeLimit(.minutes(1)))
struct SessionRecoveryTests {
  private typealias Rig = RecoveryRig

  @Test func restartsAStalledStream() async throws {
    let rig = try await Rig([.stall(afterFrame: 9, for: .seconds(100_000))])
    try await rig.session.start()

    await rig.pass { rig.tap.frameCount >= 30 }

    #expect(rig.tap.drops.filter { $0 == .discontinuity }.count == 1)
    #expect(rig.tap.ends.isEmpty && rig.tap.starts == 2)
    let statistics = rig.session.statistics
    #expect(statistics.stalls == 1 && statistics.restarts == 1 && statistics.reopens == 0)
    #expect(statistics.discontinuities == 1)
    await rig.session.stop()
    #expect(await rig.diary.states() == [.running, .recovering(.restart), .running, .stopped])
    #expect(rig.studio.camera.counters.opened == 1)
  }

  @Test func reopensACameraThatARestartDoesNotHelp() async throws {
    let rig = try await Rig()
    try await rig.session.start()
    await rig.pass { rig.tap.frameCount >= 3 }
    rig.studio.camera.script = [.silence]

    await rig.pass { rig.studio.camera.counters.opened == 2 }
    rig.studio.camera.script = []
    await rig.pass { rig.session.state == .running }

    #expect(rig.session.statistics.restarts == 2 && rig.session.statistics.reopens >= 1)
    await rig.session.stop()
    #expect(rig.studio.camera.counters.opened == rig.studio.camera.counters.closed)
  }

  @Test func failsWhenNothingHelpsAndSaysSoOnce() async throws {
    let rig = try await Rig([.silence])
    let failures = NotificationProbe(CaptureSession.runtimeErrorNotification, of: rig.session)
    try await rig.session.start()

    await rig.pass { !rig.session.isRunning }

    #expect(await failures.first?.error?.code == .streamFailed)
    guard case .failed(let error) = rig.session.state else {
      Issue.record("\(rig.session.state)")
      return
    }
    #expect(error.code == .streamFailed)
    #expect(rig.tap.ends.count == 1)
    let statistics = rig.session.statistics
    #expect(statistics.restarts == 2 && statistics.reopens == 3 && statistics.stalls == 6)
    #expect(rig.studio.camera.counters.opened == rig.studio.camera.counters.closed)
    rig.studio.camera.script = []
    try await rig.session.start()
    #expect(rig.session.state == .running)
    await rig.session.stop()
  }

  @Test func dropsEmptyFramesAfterEachStart() async throws {
    let layout = try #require(PixelLayout(format: .yuyv, width: 4, height: 2))
    let size = VideoDimensions(width: 4, height: 2)
    let rate = FrameDuration.thirtieth
    let format = CaptureDevice.Format(.yuyv, dimensions: size, frameDurations: [rate...rate])
    let rig = try await Rig(
      [.stall(afterFrame: 9, for: .seconds(100_000))],
      frames: .generated([format]) { request in
        CapturedFrame(
          bytes: [UInt8](repeating: request.sequence < 2 ? 0 : 99, count: 16), layout: layout,
          sequence: request.sequence, timestamp: request.timestamp)
      })
    try await rig.session.start()

    await rig.pass { rig.tap.starts == 2 && rig.tap.framesSinceStart >= 3 }

    await rig.session.stop()
    #expect(rig.tap.drops == [.blank, .blank, .discontinuity, .blank, .blank])
  }

  @Test func restartsAfterARunOfDamagedFrames() async throws {
    let rig = try await Rig((5..<15).map { .errorFlag(at: $0) })
    rig.session.recovery.damagedFrameLimit = 10
    try await rig.session.start()

    await rig.pass { rig.session.statistics.restarts == 1 && rig.tap.frameCount >= 20 }

    #expect(rig.session.statistics.damaged == 10)
    #expect(rig.session.statistics.stalls == 0)
    await rig.session.stop()
  }

  @Test func leavesAPhotoWaitingOverARestart() async throws {
    let rig = try await Rig([.stall(afterFrame: 2, for: .seconds(100_000))])
    try await rig.session.start()
    await rig.pass { rig.tap.frameCount >= 3 }
    let done = Atomic(false)
    let result = Mutex<Result<CapturePhoto, any Error>?>(nil)

    rig.studio.photos.capturePhoto(with: CapturePhotoSettings(timeout: .seconds(50_000))) {
      outcome in
      result.withLock { $0 = outcome }
      done.store(true, ordering: .releasing)
    }
    // Its deadline waits for the clock too.
    await rig.pass(waiters: 2) { done.load(ordering: .acquiring) }

    #expect(try result.withLock { $0 }?.get().fileDataRepresentation() != nil)
    #expect(rig.session.statistics.restarts == 1)
    await rig.session.stop()
  }

  @Test func resumesWithTheSameCamera() async throws {
    let rig = try await Rig()
    rig.session.resumesAfterReconnect = true
    try await rig.session.start()
    await rig.pass { rig.tap.frameCount >= 3 }
    let before = rig.studio.device
    let connection = try #require(rig.session.connections.first)
    connection.videoOrientation = .landscapeLeft

    rig.studio.camera.unplug()
    await rig.pass { rig.session.isInterrupted }
    #expect(rig.session.state == .interrupted([.videoDeviceDisconnected]))
    #expect(!before.isConnected)
    rig.studio.camera.replug()
    await rig.pass { rig.session.state == .running }

    let after = try #require(rig.session.inputs.first?.device)
    #expect(after !== before && after.uniqueID == before.uniqueID && after.isConnected)
    #expect(connection.isActive && connection.videoOrientation == .landscapeLeft)
    #expect(rig.tap.ends.isEmpty)
    #expect(rig.tap.drops.filter { $0 == .discontinuity }.count == 1)
    await rig.session.stop()
  }

  @Test func isToldToHaveStartedAndStoppedOnce() async throws {
    let rig = try await Rig([.stall(afterFrame: 4, for: .seconds(100_000))])
    let started = NotificationProbe(CaptureSession.didStartRunningNotification, of: rig.session)
    let stopped = NotificationProbe(CaptureSession.didStopRunningNotification, of: rig.session)
    try await rig.session.start()
    await rig.pass { rig.session.statistics.restarts == 1 && rig.tap.framesSinceStart > 3 }
    await rig.session.stop()

    _ = await stopped.first
    #expect(started.count == 1 && stopped.count == 1)
  }

  @Test func usesLessOfTheBusWhereThePresetDecides() async throws {
    let size = VideoDimensions(width: 160, height: 120)
    let thirtieth = try #require(FrameDuration.framesPerSecond(30))
    let formats = [PixelFormat.yuyv, .mjpeg].map {
      CaptureDevice.Format($0, dimensions: size, frameDurations: [thirtieth...thirtieth])
    }
    let camera = MockCamera(
      frames: .testPattern(.yuyv, width: size.width, height: size.height), formats: formats)
    let studio = try await Studio(camera)
    let connection = try #require(studio.session.connections.first)
    let told = Mutex<[CaptureDiagnostic.Code]>([])
    studio.session.diagnosticHandler = { one in told.withLock { $0.append(one.code) } }
    try await studio.session.start()
    let usual = try #require(connection.format?.pixelFormat)
    await studio.session.stop()

    camera.script = [.noBandwidth(for: usual)]
    try await studio.session.start()

    let less = try #require(connection.format)
    #expect(less.pixelFormat != usual && less.dimensions == size)
    #expect(
      try await studio.photos.capturePhoto(with: CapturePhotoSettings()).fileDataRepresentation()
        != nil)
    await studio.session.stop()
    #expect(told.withLock { $0 } == [.bandwidthReduced])
    #expect(camera.counters.opened == camera.counters.closed)
  }

  @Test func saysThatTheBusHasNoRoomWhereLessDoesNotFitEither() async throws {
    let rig = try await Rig([.failsToStart(CaptureError(.usbBandwidth))])
    await #expect {
      try await rig.session.start()
    } throws: {
      ($0 as? CaptureError)?.code == .usbBandwidth
    }
    #expect(rig.studio.camera.counters.opened == rig.studio.camera.counters.closed)
  }

  @Test func saysNothingWithoutAHandlerAndEachStepWithOne() async throws {
    let rig = try await Rig([.stall(afterFrame: 4, for: .seconds(100_000))])
    let told = Mutex<[CaptureDiagnostic]>([])
    rig.session.diagnosticHandler = { one in told.withLock { $0.append(one) } }
    try await rig.session.start()

    await rig.pass { told.withLock { $0.count } >= 2 }

    #expect(told.withLock { $0.map(\.code) } == [.stall, .recovered])
    #expect(told.withLock { $0.allSatisfy { $0.deviceID == rig.studio.device.uniqueID } })
    await rig.session.stop()
  }

  @Test func doesNotCallATriggeredCamerasSilenceAStall() async throws {
    let rig = try await Rig([.silence])
    rig.session.recovery.stallLimit = .never
    try await rig.session.start()
    await rig.pass { rig.clock.now > HostTime(nanoseconds: 600_000_000_000) }
    #expect(rig.session.statistics.stalls == 0)
    #expect(rig.session.state == .running)
    await rig.session.stop()
  }
}
