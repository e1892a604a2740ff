import CaptureKitLinux
import Foundation
import Imaging
import Synchronization
import Testing

/// Real drivers that stop sending pictures, and what the session makes of it.
@Suite(.timeLimit(.minutes(1)))
struct RecoveryLabTests {
  // MARK: A USB camera

  @Test(.inLab(.usb)) func goesOnWithACameraThatIsPluggedInAgain() async throws {
    let camera = LabCamera()
    let studio = try LabStudio()
    studio.session.resumesAfterReconnect = true
    try await studio.session.start()
    try await untilPictures(of: studio)

    for round in 1...2 {
      try await camera.tell("unplug")
      try await until("the session waits") {
        studio.session.state == .interrupted([.videoDeviceDisconnected])
      }
      #expect(!studio.session.isRunning && studio.session.isInterrupted)
      try await camera.tell("plug")
      try await until("the session runs") { studio.session.state == .running }
      try await untilPictures(of: studio)
      #expect(studio.session.statistics.interruptions == round)
    }

    let device = try #require(studio.session.inputs.first?.device)
    #expect(device !== studio.device && device.uniqueID == studio.device.uniqueID)
    #expect(try await studio.photo().fileDataRepresentation() != nil)
    await studio.session.stop()
  }

  @Test(.inLab(.usb)) func startsASilentStreamAnew() async throws {
    let studio = try LabStudio()
    try await studio.session.start()
    try await untilPictures(of: studio)

    try await LabCamera().tell("stall 600")
    try await until("the stream is restarted") { studio.session.statistics.restarts > 0 }
    try await until("the session runs") { studio.session.state == .running }
    try await untilPictures(of: studio)

    #expect(studio.session.statistics.stalls == 1)
    #expect(studio.session.statistics.reopens == 0)
    await studio.session.stop()
  }

  @Test(.inLab(.usb)) func waitsForASilentCameraWhereSilenceIsNoFault() async throws {
    let studio = try LabStudio()
    studio.session.recovery.stallLimit = .never
    try await studio.session.start()
    try await untilPictures(of: studio)

    try await LabCamera().tell("stall 3")
    try await untilPictures(of: studio)

    let statistics = studio.session.statistics
    #expect(statistics.stalls == 0 && statistics.restarts == 0)
    await studio.session.stop()
  }

  @Test(.inLab(.usb)) func resetsTheUSBDeviceWhereThatIsAllowed() async throws {
    let studio = try LabStudio()
    studio.session.recovery.restartLimit = 0
    studio.session.recovery.reopenLimit = 0
    studio.session.recovery.resetsUSBDevice = true
    try await studio.session.start()
    try await untilPictures(of: studio)

    try await LabCamera().tell("stall 600")
    try await until("the device is reset") { studio.session.statistics.usbResets == 1 }
    try await untilPictures(of: studio)

    #expect(studio.session.state == .running)
    await studio.session.stop()
  }

  /// How long it takes from the command to the camera's cable until the program knows.
  @Test(.inLab(.usb)) func saysSoonThatACameraWasUnplugged() async throws {
    let camera = LabCamera()
    var latencies: [Duration] = []
    for _ in 1...7 {
      let studio = try LabStudio()
      let bell = Bell(studio.session)
      try await studio.session.start()
      try await untilPictures(of: studio)
      let start = ContinuousClock.now
      try await camera.tell("unplug")
      try await until("the session has failed") { bell.rungAt != nil }
      latencies.append(try #require(bell.rungAt) - start)
      try await until("the camera is gone") { DiscoveryLabTests.cameras.isEmpty }
      try await camera.tell("plug")
      try await until("the camera is back") { DiscoveryLabTests.cameras.count == 1 }
    }
    let sorted = latencies.sorted()
    print("unplug-latency: median \(sorted[3]), worst \(sorted[6]), of 7 unplugs")
    #expect(sorted[3] < .seconds(1))
  }

  // MARK: vivid's errors

  @Test(.inLab(.single, .multiplanar)) func startsAStreamAnewThatTheDriverEnds() async throws {
    let studio = try LabStudio.ofThisLab()
    try await studio.session.start()
    try await untilPictures(of: studio)

    try studio.device.turn(.fatalError)
    try await until("the stream is restarted") { studio.session.statistics.restarts == 1 }
    try await untilPictures(of: studio)

    #expect(studio.session.statistics.reopens == 0 && studio.session.state == .running)
    await studio.session.stop()
  }

  @Test(.inLab(.single, .multiplanar), arguments: [VividKnob.requestError, .startError])
  func goesOnWhereTheRestartFailsToo(knob: VividKnob) async throws {
    let studio = try LabStudio.ofThisLab()
    try await studio.session.start()
    try await untilPictures(of: studio)

    try studio.device.turn(knob)
    try studio.device.turn(.fatalError)
    try await until("the second restart") { studio.session.statistics.restarts >= 2 }
    try await untilPictures(of: studio)

    #expect(studio.session.state == .running)
    await studio.session.stop()
  }

  @Test(.inLab(.single, .multiplanar)) func countsWhatTheDriverLosesAndDamages() async throws {
    let studio = try LabStudio.ofThisLab()
    try await studio.session.start()
    try await untilPictures(of: studio)

    try studio.device.turn(.bufferError)
    try studio.device.turn(.droppedBuffers, to: 50)
    try await until("frames are missed") { studio.session.statistics.lost > 2 }
    try studio.device.turn(.droppedBuffers, to: 0)

    let statistics = studio.session.statistics
    #expect(statistics.damaged == 1)
    #expect(statistics.restarts == 0 && statistics.stalls == 0)
    await studio.session.stop()
  }

  // MARK: An HDMI input

  @Test(.inLab(.hdmi)) func isInterruptedWhileThereIsNoSignal() async throws {
    let studio = try LabStudio(.yuyv, LabStudio.wideSize)
    let notices = NoticeBoard(
      CaptureSession.wasInterruptedNotification, CaptureSession.interruptionEndedNotification,
      of: studio.session)
    try await studio.session.start()
    try await untilPictures(of: studio)

    try studio.device.turn(.signalMode, to: 1)
    try await until("the session is interrupted") {
      studio.session.state == .interrupted([.noSignal])
    }
    #expect(studio.session.lastError?.code == .noSignal)
    try studio.device.turn(.signalMode, to: 0)
    try await until("the session runs") { studio.session.state == .running }
    try await untilPictures(of: studio)

    await studio.session.stop()
    #expect(studio.session.statistics.interruptions == 1)
    try await until("both were told") {
      notices.count(of: CaptureSession.wasInterruptedNotification) == 1
        && notices.count(of: CaptureSession.interruptionEndedNotification) == 1
    }
  }

  @Test(.inLab(.hdmi)) func beginsInterruptedWhereThereIsNoSignal() async throws {
    let studio = try LabStudio(.yuyv, LabStudio.wideSize)
    try studio.device.turn(.signalMode, to: 1)

    let error = await #expect(throws: CaptureError.self) { try await studio.session.start() }
    #expect(error?.code == .noSignal)
    studio.session.startRunning()
    #expect(studio.session.state == .interrupted([.noSignal]))
    try studio.device.turn(.signalMode, to: 0)

    try await untilPictures(of: studio)
    await studio.session.stop()
  }

  @Test(.inLab(.hdmi)) func goesOnInTheFormOfAnotherSource() async throws {
    let studio = try LabStudio(.yuyv, LabStudio.wideSize)
    try await studio.session.start()
    try await untilPictures(of: studio)

    try studio.device.turn(.signalMode, to: 4)
    try await until("the stream is started anew") { studio.session.statistics.restarts > 0 }
    try await untilPictures(of: studio)
    #expect(studio.session.state == .running)
    #expect(studio.session.statistics.interruptions == 0)
    try studio.device.turn(.signalMode, to: 0)

    await studio.session.stop()
  }

  /// Returns when more frames have been delivered.
  private func untilPictures(of studio: LabStudio) async throws {
    let before = studio.session.statistics.delivered
    try await until("pictures come") { studio.session.statistics.delivered > before + 2 }
  }
}

/// Notes when a session says that it has failed.
private final class Bell: Sendable {
  private let moment = Mutex<ContinuousClock.Instant?>(nil)
  var rungAt: ContinuousClock.Instant? { moment.withLock { $0 } }

  init(_ session: CaptureSession) {
    // The observer lives as long as the process; tests are few.
    _ = NotificationCenter.default.addObserver(
      forName: CaptureSession.runtimeErrorNotification, object: session, queue: nil
    ) { [weak self] _ in
      self?.moment.withLock { $0 = $0 ?? .now }
    }
  }
}
