import CaptureKitLinux
import CaptureKitMocks
import Imaging
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CaptureSessionTests {
  static func smallCamera() -> MockCamera {
    MockCamera(frames: .testPattern(.yuyv, width: 160, height: 120))
  }

  // MARK: Starting and stopping

  @Test func startsAndStops() async throws {
    let studio = try await Studio(Self.smallCamera())

    try await studio.session.start()
    #expect(studio.session.isRunning)
    #expect(studio.session.connections.allSatisfy { $0.isActive })

    await studio.session.stop()
    #expect(!studio.session.isRunning)
    #expect(!studio.session.connections.contains { $0.isActive })
    #expect(studio.camera.counters.started == 1 && studio.camera.counters.stopped == 1)
  }

  @Test func startsAndStopsManyTimesWithoutLeavingAnythingOpen() async throws {
    let studio = try await Studio(Self.smallCamera())
    let tap = FrameTap()
    try studio.session.add(tap)

    for _ in 0..<20 {
      studio.session.startRunning()
      studio.session.stopRunning()
    }

    #expect(studio.session.lastError == nil)
    #expect(tap.starts == 20 && tap.ends.count == 20)
    let counters = studio.camera.counters
    #expect(counters.opened == 20 && counters.closed == 20 && counters.stopped == 20)
  }

  @Test func ignoresASecondStartAndASecondStop() async throws {
    let studio = try await Studio(Self.smallCamera())

    try await studio.session.start()
    try await studio.session.start()
    await studio.session.stop()
    await studio.session.stop()

    #expect(studio.camera.counters.opened == 1)
    #expect(studio.session.lastError == nil)
  }

  @Test(arguments: [
    (MockEvent.busy, CaptureError.Code.inUse),
    (.failsToStart(CaptureError(.usbBandwidth)), .usbBandwidth),
    (.failsToStart(CaptureError(.noSignal)), .noSignal),
  ])
  func saysWhyItDoesNotStart(event: MockEvent, code: CaptureError.Code) async throws {
    let studio = try await Studio(Self.smallCamera())
    studio.camera.script = [event]

    await #expect { try await studio.session.start() } throws: {
      ($0 as? CaptureError)?.code == code
    }
    #expect(!studio.session.isRunning)

    studio.session.startRunning()
    #expect(studio.session.lastError?.code == code)
    #expect(studio.camera.counters.opened == studio.camera.counters.closed)
  }

  @Test func startsNothingWhereOneOfTwoCamerasFails() async throws {
    let (good, bad) = (Self.smallCamera(), Self.smallCamera())
    bad.script = [.busy]
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [good, bad])])
    let session = CaptureSession()
    for device in try await environment.devices() {
      try session.add(try CaptureDeviceInput(device: device))
    }

    await #expect(throws: CaptureError.self) { try await session.start() }

    #expect(!session.isRunning)
    #expect(good.counters.stopped == good.counters.started)
  }

  @Test func stopsFromTheCamerasOwnThread() async throws {
    let studio = try await Studio(Self.smallCamera())
    let session = studio.session
    let tap = FrameTap { _ in session.stopRunning() }
    try session.add(tap)
    let end = NotificationProbe(CaptureSession.didStopRunningNotification, of: session)

    try await session.start()
    _ = await end.first

    #expect(tap.ends.count == 1)
  }

  /// An output that calls its session from wherever the session calls it.
  final class Meddler: CaptureOutput {
    let session: CaptureSession
    init(_ session: CaptureSession) { self.session = session }

    func didConnect(_ connection: CaptureConnection) { session.stopRunning() }
    func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
      session.stopRunning()
    }
    func connection(
      _ connection: CaptureConnection, didStartWith format: CaptureFormat, at time: HostTime
    ) {
      session.stopRunning()
      session.sessionPreset = .low
    }
    func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
      session.removeOutput(self)
    }
  }

  @Test func letsAnOutputCallItsSessionFromAnywhere() async throws {
    let studio = try await Studio(Self.smallCamera())
    let end = NotificationProbe(CaptureSession.didStopRunningNotification, of: studio.session)
    try studio.session.add(Meddler(studio.session))

    studio.session.startRunning()
    _ = await end.first
    while studio.session.outputs.count > 1 { await Task.yield() }
    studio.session.stopRunning()

    #expect(!studio.session.isRunning)
    #expect(studio.camera.counters.opened == studio.camera.counters.closed)
  }

  @Test func survivesStartsAndStopsFromManyThreads() async throws {
    let studio = try await Studio(Self.smallCamera())

    await withTaskGroup(of: Void.self) { group in
      for index in 0..<24 {
        group.addTask {
          if index.isMultiple(of: 2) {
            try? await studio.session.start()
          } else {
            await studio.session.stop()
          }
        }
      }
    }
    await studio.session.stop()

    let counters = studio.camera.counters
    #expect(counters.opened == counters.closed && counters.started == counters.stopped)
  }

  // MARK: Inputs and outputs

  @Test func refusesTheSameTwice() async throws {
    let studio = try await Studio(Self.smallCamera())
    let input = try CaptureDeviceInput(device: studio.device)

    #expect(!studio.session.canAddInput(input))
    #expect(!studio.session.canAddOutput(studio.photos))
    studio.session.addInput(input)
    #expect(studio.session.lastError?.code == .cannotAddInput)
    studio.session.addOutput(studio.photos)
    #expect(studio.session.lastError?.code == .cannotAddOutput)
    #expect(studio.session.inputs.count == 1 && studio.session.outputs.count == 1)
  }

  @Test func connectsInAnyOrder() async throws {
    let camera = Self.smallCamera()
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera])])
    let device = try #require(try await environment.devices().first)
    let session = CaptureSession()
    let photos = CapturePhotoOutput()

    session.beginConfiguration()
    session.addOutput(photos)
    session.addInput(try CaptureDeviceInput(device: device))
    #expect(photos.connection(with: .video) != nil)
    #expect(photos.connection(with: .audio) == nil)
    session.commitConfiguration()

    #expect(session.connections.count == 1)
  }

  @Test func doesNotAddACameraThatCannotBeStartedToARunningSession() async throws {
    let (good, bad) = (Self.smallCamera(), Self.smallCamera())
    bad.script = [.busy]
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [good, bad])])
    let devices = try await environment.devices()
    let session = CaptureSession()
    let photos = CapturePhotoOutput()
    try session.add(photos)
    try session.add(try CaptureDeviceInput(device: devices[0]))
    try await session.start()

    #expect {
      try session.add(try CaptureDeviceInput(device: devices[1]))
    } throws: {
      ($0 as? CaptureError)?.code == .inUse
    }

    #expect(session.inputs.count == 1 && photos.connections.count == 1)
    let photo = try await photos.capturePhoto(with: CapturePhotoSettings())
    #expect(photo.fileDataRepresentation() != nil)
    await session.stop()
  }

  @Test func stopsACameraWhoseInputIsRemoved() async throws {
    let studio = try await Studio(Self.smallCamera())
    try await studio.session.start()

    studio.session.removeInput(try #require(studio.session.inputs.first))

    #expect(studio.camera.counters.stopped == 1)
    #expect(studio.photos.connections.isEmpty)
    await studio.session.stop()
  }

  @Test func sendsNothingOverAConnectionThatIsDisabled() async throws {
    let studio = try await Studio(Self.smallCamera())
    let (disabled, other) = (FrameTap(), FrameTap())
    try studio.session.add(disabled)
    try studio.session.add(other)
    try await studio.session.start()
    await disabled.frames(1)
    let connection = try #require(
      studio.session.connections.first { $0.output === disabled })

    connection.isEnabled = false
    // One may be under way.
    await other.frames(3)
    let count = disabled.frameCount
    await other.frames(3)

    #expect(disabled.frameCount == count)
    connection.isEnabled = true
    await disabled.frames(count + 1)
    #expect(disabled.frameCount > count)
    await studio.session.stop()
  }

  @Test func addsAnOutputAlthoughAnotherCameraCannotStart() async throws {
    let (good, bad) = (Self.smallCamera(), Self.smallCamera())
    bad.script = [.busy]
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [good, bad])])
    let devices = try await environment.devices()
    let session = CaptureSession()
    try session.add(try CaptureDeviceInput(device: devices[0]))
    try await session.start()
    #expect(throws: CaptureError.self) {
      try session.configure { try session.add(try CaptureDeviceInput(device: devices[1])) }
    }
    #expect(session.inputs.count == 2 && session.isRunning)
    let tap = FrameTap()

    try session.add(tap)

    await tap.frames(1)
    #expect(session.lastError?.code == .inUse)
    try session.setSessionPreset(.low)
    #expect(session.sessionPreset == .low)
    bad.script = []
    session.removeOutput(tap)
    #expect(session.state(of: session.inputs[1]) == .running)
    await session.stop()
  }
}
