import CaptureKitMocks
import Imaging
import Synchronization
import Testing

@testable import CaptureKitLinux

/// A session that goes on with its camera, and no other, when that comes back.
@Suite(.timeLimit(.minutes(1)))
struct SessionReturnTests {
  /// Simulated cameras whose streams do something when they are stopped.
  private struct Backend: CaptureBackend {
    let mock: MockBackend
    let onStop: @Sendable () -> Void

    func devices() async throws -> [CaptureDeviceDescription] { await mock.devices() }

    func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
      Stream(try mock.open(device), onStop: onStop)
    }
  }

  private final class Stream: CaptureStream {
    private let stream: any CaptureStream
    private let onStop: @Sendable () -> Void

    init(_ stream: any CaptureStream, onStop: @escaping @Sendable () -> Void) {
      self.stream = stream
      self.onStop = onStop
    }

    func start(_ format: CaptureFormat) throws { try stream.start(format) }

    func nextFrame(before deadline: ContinuousClock.Instant) throws -> CapturedFrame? {
      try stream.nextFrame(before: deadline)
    }

    func interrupt() { stream.interrupt() }

    func stop() {
      onStop()
      stream.stop()
    }
  }

  @Test func resumesWithACameraThatSomebodyElseFoundFirst() async throws {
    let camera = CaptureSessionTests.smallCamera()
    let found = Mutex<CaptureEnvironment?>(nil)
    let backend = Backend(mock: MockBackend(cameras: [camera])) {
      // The driver takes its time; meanwhile the camera is plugged in, and somebody looks.
      guard let environment = found.withLock({ $0.take() }) else { return }
      camera.replug()
      _ = environment.devicesNow()
    }
    let environment = CaptureEnvironment(backends: [backend])
    let device = try #require(try await environment.devices().first)
    let session = CaptureSession()
    session.resumesAfterReconnect = true
    try session.add(try CaptureDeviceInput(device: device))
    let tap = FrameTap()
    try session.add(tap)
    try await session.start()
    await tap.frames(1)
    let states = session.states

    found.withLock { $0 = environment }
    camera.unplug()

    var wasInterrupted = false
    for await state in states {
      if case .interrupted = state { wasInterrupted = true }
      if wasInterrupted, state == .running { break }
    }
    #expect(session.inputs.first?.device.isConnected == true)
    #expect(session.inputs.first?.device !== device)
    await session.stop()
  }

  /// A simulated camera whose id gets a port once it has a twin.
  private struct TwinBackend: CaptureBackend {
    let mock: MockBackend
    let hasTwin: @Sendable () -> Bool

    func devices() async throws -> [CaptureDeviceDescription] {
      await mock.devices().map { device in
        var device = device
        if hasTwin() { device.uniqueID += "@1-2" }
        return device
      }
    }

    func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
      var device = device
      device.uniqueID = String(device.uniqueID.prefix { $0 != "@" })
      return try mock.open(device)
    }
  }

  @Test func resumesWithACameraWhoseIDHasGotAPort() async throws {
    let camera = MockCamera(
      uniqueID: "usb-046d:0825-SN0001", frames: .testPattern(.yuyv, width: 64, height: 32))
    let hasTwin = Mutex(false)
    let backend = TwinBackend(mock: MockBackend(cameras: [camera])) { hasTwin.withLock { $0 } }
    let environment = CaptureEnvironment(backends: [backend])
    let device = try #require(try await environment.devices().first)
    let session = CaptureSession()
    session.resumesAfterReconnect = true
    try session.add(try CaptureDeviceInput(device: device))
    let tap = FrameTap()
    try session.add(tap)
    try await session.start()
    await tap.frames(1)
    let states = session.states

    camera.unplug()
    var wasInterrupted = false
    for await state in states {
      if case .interrupted = state, !wasInterrupted {
        wasInterrupted = true
        hasTwin.withLock { $0 = true }
        camera.replug()
        _ = environment.devicesNow()
      }
      if wasInterrupted, state == .running { break }
    }

    #expect(session.inputs.first?.device.uniqueID == "usb-046d:0825-SN0001@1-2")
    await session.stop()
  }

  @Test func resumesInTheFormatThatWasChosen() async throws {
    let thirtieth = FrameDuration.thirtieth
    let formats = [(160, 120), (640, 480)].map {
      CaptureDevice.Format(
        .yuyv, dimensions: VideoDimensions(width: $0, height: $1),
        frameDurations: [thirtieth...thirtieth])
    }
    let camera = MockCamera(
      frames: .testPattern(.yuyv, width: 160, height: 120), formats: formats)
    let studio = try await Studio(camera)
    let session = studio.session
    try studio.device.lockForConfiguration()
    try studio.device.setActiveFormat(formats[0])
    try studio.device.setActiveVideoMaxFrameDuration(thirtieth)
    studio.device.unlockForConfiguration()
    session.resumesAfterReconnect = true
    try await session.start()
    let states = session.states
    camera.unplug()
    for await state in states { if case .interrupted = state { break } }
    camera.replug()
    for await state in session.states where state == .running { break }

    let device = try #require(session.inputs.first?.device)
    #expect(device !== studio.device && device.activeFormat == formats[0])
    #expect(device.activeVideoMaxFrameDuration == thirtieth)
    #expect(session.sessionPreset == .inputPriority)
    try session.add(FrameTap())
    #expect(session.connections.first?.format?.dimensions == formats[0].maximumDimensions)
    #expect(camera.counters.started == 2)
    await session.stop()
  }

  @Test func resumesWithNoOtherCamera() async throws {
    let (camera, other) = (CaptureSessionTests.smallCamera(), CaptureSessionTests.smallCamera())
    other.unplug()
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera, other])])
    let session = CaptureSession()
    session.resumesAfterReconnect = true
    try session.add(CaptureDeviceInput(device: try #require(await environment.devices().first)))
    try session.add(FrameTap())
    try await session.start()
    var changes = environment.deviceChanges.makeAsyncIterator()
    camera.unplug()
    for await state in session.states { if case .interrupted = state { break } }

    other.replug()
    while let change = await changes.next(), change.device.uniqueID != other.uniqueID {}
    camera.replug()
    for await state in session.states where state == .running { break }

    #expect(session.inputs.first?.device.uniqueID == camera.uniqueID)
    #expect(other.counters.opened == 0)
    await session.stop()
  }

  @Test func goesOnWaitingWhenItIsChangedMeanwhile() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    let session = studio.session
    session.resumesAfterReconnect = true
    try await session.start()
    let states = session.states
    studio.camera.unplug()
    for await state in states { if case .interrupted = state { break } }

    let tap = FrameTap()
    try session.add(tap)
    #expect(session.isInterrupted && tap.starts == 0)
    studio.camera.replug()

    for await state in session.states where state == .running { break }
    await tap.frames(1)
    #expect(tap.starts == 1)
    await session.stop()
  }

  /// Whose name could be the lost one's, whose port is not in its name.
  @Test func resumesWithNoTwinThatWasThere() async throws {
    let frames = MockFrames.testPattern(.yuyv, width: 64, height: 32)
    let camera = MockCamera(uniqueID: "usb-046d:0825-SN0001", frames: frames)
    let twin = MockCamera(uniqueID: "usb-046d:0825-SN0001@1-2", frames: frames)
    let clock = ManualClock()
    let environment = CaptureEnvironment(
      backends: [MockBackend(cameras: [camera, twin], clock: clock)], clock: clock)
    let session = CaptureSession()
    session.resumesAfterReconnect = true
    let device = try #require(await environment.devices().first { $0.uniqueID == camera.uniqueID })
    try session.add(CaptureDeviceInput(device: device))
    try session.add(FrameTap())
    try await session.start()
    camera.unplug()
    await clock.pass { session.isInterrupted }

    // Longer than anything is waited for or looked at again.
    let end = clock.now.advanced(by: .seconds(30))
    await clock.pass { clock.now >= end }
    #expect(session.isInterrupted)
    camera.replug()
    await clock.pass { !session.isInterrupted }

    #expect(session.inputs.first?.device.uniqueID == camera.uniqueID)
    #expect(twin.counters.opened == 0)
    await session.stop()
  }
}
