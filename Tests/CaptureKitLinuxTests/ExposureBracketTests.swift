import CaptureKitMocks
import Dispatch
import Imaging
import Synchronization
import Testing

@testable import CaptureKitLinux

/// Photos of one scene in several exposures.
@Suite(.timeLimit(.minutes(1)))
struct ExposureBracketTests {
  typealias Step = CaptureBracketedStillImageSettings

  static let biasMenu = CaptureControl(
    .exposureBias, name: "Auto Exposure, Bias", kind: .integerMenu, range: 0...4, defaultValue: 2,
    menu: [
      .init(0, number: -2000), .init(1, number: -1000), .init(2, number: 0),
      .init(3, number: 1000), .init(4, number: 2000),
    ])

  static func studio(
    _ format: PixelFormat = .yuyv, controls: [CaptureControl] = MockCamera.webcamControls
  ) async throws -> Studio {
    let camera = MockCamera(frames: .testPattern(format, width: 320, height: 240))
    camera.controls = controls
    let studio = try await Studio(camera, clock: ManualClock())
    try await studio.session.start()
    return studio
  }

  static func manual(_ milliseconds: Int64...) -> CapturePhotoSettings {
    CapturePhotoSettings(
      bracketedSettings: milliseconds.map { .manualExposure(duration: .milliseconds($0)) })
  }

  static func brightness(of photo: CapturePhoto) throws -> Double {
    try #require(AverageColor(of: photo.image.pixelBuffer())).luma
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv])
  func getsLighterFromPhotoToPhoto(format: PixelFormat) async throws {
    let studio = try await Self.studio(format)
    let recorder = studio.takePhoto(Self.manual(4, 8, 16))

    let log = await studio.clock.advancing { await recorder.finished }

    #expect(log.finalError == nil)
    let brightness = try log.photos.map(Self.brightness)
    #expect(brightness.count == 3 && brightness == brightness.sorted())
    #expect(try #require(brightness.last) > 1.5 * brightness[0])
    #expect(log.photos[1].bracketedSettings == .manualExposure(duration: .milliseconds(8)))
    for call in ["willBegin", "willCapture", "didCapture", "didFinish"] {
      #expect(log.calls.filter { $0 == call }.count == 1, "\(call)")
    }
    await studio.session.stop()
  }

  @Test func putsTheControlsBack() async throws {
    let studio = try await Self.studio()
    let before = studio.camera.controlValues
    let recorder = studio.takePhoto(Self.manual(4, 8))

    _ = await studio.clock.advancing { await recorder.finished }

    #expect(studio.camera.controlValues == before)
    #expect(studio.camera.controlSettings.count >= 4)
    await studio.session.stop()
  }

  @Test func putsTheControlsBackWhereThePhotosFail() async throws {
    let studio = try await Self.studio()
    let before = studio.camera.controlValues
    studio.camera.script = [.slowStart(.seconds(3600))]
    let recorder = studio.takePhoto(Self.manual(4, 8))
    while studio.camera.controlSettings.isEmpty { await Task.yield() }

    await studio.session.stop()

    let log = await recorder.finished
    #expect(log.photos.count == 2 && log.finalError?.code == .stopped)
    #expect(studio.camera.controlValues == before)
  }

  @Test func endsOnceWhenTheCameraIsUnplugged() async throws {
    let studio = try await Self.studio()
    let recorder = studio.takePhoto(Self.manual(4, 8, 16))
    while studio.camera.controlSettings.isEmpty { await Task.yield() }

    studio.camera.unplug()

    let log = await recorder.finished
    #expect(log.finalError?.code == .disconnected)
    #expect(log.photos.map(\.photoCount) == [1, 2, 3])
    #expect(log.calls.first == "willBegin" && log.calls.last == "didFinish")
  }

  @Test func changesNothingOnceTheCameraWasPutBack() async throws {
    let studio = try await Self.studio()
    let bracket = ExposureBracket([.manualExposure(gain: 50)], of: studio.device)
    let before = studio.camera.controlValues

    // Another thread may have ended the request just before it was prepared.
    await withCheckedContinuation { done in bracket.restore { _ in done.resume() } }
    let result = await withCheckedContinuation { done in
      bracket.prepare(photo: 1) { done.resume(returning: $0) }
    }

    #expect(throws: CaptureError.self) { try result.get() }
    #expect(studio.camera.controlValues == before)
    await studio.session.stop()
  }

  @Test func endsAlthoughTheCameraNeverAnswersForItsControls() async throws {
    let clock = ManualClock()
    let backend = MuteBackend(
      MockBackend(
        cameras: [MockCamera(frames: .testPattern(.yuyv, width: 64, height: 48))], clock: clock))
    let environment = CaptureEnvironment(backends: [backend], clock: clock)
    let session = CaptureSession()
    let photos = CapturePhotoOutput()
    try session.add(CaptureDeviceInput(device: try #require(await environment.devices().first)))
    try session.add(photos)
    try await session.start()
    let (bracket, other) = (PhotoRecorder(), PhotoRecorder())
    photos.capturePhoto(with: Self.manual(4, 8), delegate: bracket)
    photos.capturePhoto(with: CapturePhotoSettings(), delegate: other)

    let isOver = Atomic(false)
    let waiting = Task {
      let logs = (await bracket.finished, await other.finished)
      isOver.store(true, ordering: .releasing)
      return logs
    }
    await clock.pass(waiters: 2) { isOver.load(ordering: .acquiring) }
    let logs = await waiting.value

    #expect(logs.0.finalError?.code == .timedOut && logs.0.photos.count == 2)
    #expect(logs.1.finalError == nil)
    backend.gate.signal()
    await session.stop()
  }

  /// Simulated cameras whose controls cannot be set until somebody opens the gate.
  private final class MuteBackend: CaptureBackend {
    let gate = DispatchSemaphore(value: 0)
    private let mock: MockBackend

    init(_ mock: MockBackend) { self.mock = mock }

    func devices() async -> [CaptureDeviceDescription] { await mock.devices() }

    func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
      try mock.open(device)
    }

    func controls(of device: CaptureDeviceDescription) throws -> any CaptureControlAccess {
      MuteControls(gate, try mock.controls(of: device))
    }
  }

  private final class MuteControls: CaptureControlAccess {
    private let gate: DispatchSemaphore
    private let access: any CaptureControlAccess

    init(_ gate: DispatchSemaphore, _ access: any CaptureControlAccess) {
      self.gate = gate
      self.access = access
    }

    func controls() throws -> [CaptureControl] { try access.controls() }

    func values(
      of ids: [CaptureControl.ID]
    ) throws -> [CaptureControl.ID: Result<CaptureControl.Value, CaptureError>] {
      try access.values(of: ids)
    }

    func set(_ settings: [CaptureControl.Setting]) throws {
      gate.wait()
      gate.signal()
      try access.set(settings)
    }
  }

  @Test func keepsOtherPhotosWaitingUntilItIsOver() async throws {
    let studio = try await Self.studio()
    let bracket = studio.takePhoto(Self.manual(1, 2))
    let other = studio.takePhoto()

    let (first, second) = await studio.clock.advancing {
      (await bracket.finished, await other.finished)
    }

    let dark = try first.photos.map(Self.brightness)
    let usual = try Self.brightness(of: #require(second.photo))
    #expect(second.finalError == nil)
    #expect(dark.allSatisfy { $0 < usual / 2 })
    await studio.session.stop()
  }

  @Test func saysWhatTheCameraCannotDo() async throws {
    let bias = CapturePhotoSettings(bracketedSettings: [.autoExposure(targetBias: -1)])
    let tooLong = Self.manual(5000)

    for (settings, code, controls) in [
      (bias, CaptureError.Code.unsupportedControl, MockCamera.webcamControls),
      (tooLong, .invalidControlValue, MockCamera.webcamControls),
      (Self.manual(4), .unsupportedControl, []),
    ] {
      let studio = try await Self.studio(controls: controls)
      let log = await studio.takePhoto(settings).finished
      #expect(log.finalError?.code == code)
      #expect(log.calls.first == "willBegin" && log.calls.last == "didFinish")
      await studio.session.stop()
    }
  }

  @Test func refusesTooManyAndBursts() async throws {
    let studio = try await Self.studio()
    let burst = Self.manual(4, 8)
    burst.burstCount = 2
    let steps = Array(repeating: Step.manualExposure(gain: 1), count: 17)

    for settings in [burst, CapturePhotoSettings(bracketedSettings: steps)] {
      #expect(await studio.takePhoto(settings).finished.finalError?.code == .unsupportedSettings)
    }
    await studio.session.stop()
  }

  // MARK: Which controls

  @Test(arguments: [(-1.0, Int64(1)), (0.4, 2), (2, 4), (-1.6, 0)])
  func takesTheNearestBias(stops: Double, index: Int64) throws {
    let settings = try Step.autoExposure(targetBias: stops).controlSettings(
      of: [.exposureBias: Self.biasMenu], camera: "Camera")

    #expect(settings == [CaptureControl.Setting(.exposureBias, .integer(index))])
  }

  @Test(arguments: [-2.5, 3, .infinity, .nan])
  func refusesABiasThatTheCameraDoesNotHave(stops: Double) {
    let error = #expect(throws: CaptureError.self) {
      try Step.autoExposure(targetBias: stops).controlSettings(
        of: [.exposureBias: Self.biasMenu], camera: "Camera")
    }
    #expect(error?.code == .invalidControlValue)
  }

  @Test func switchesExposureToAutomaticForABias() throws {
    let exposure = try #require(
      MockCamera.webcamControls.first { $0.id == .automaticExposure })

    let settings = try Step.autoExposure(targetBias: 1).controlSettings(
      of: [.exposureBias: Self.biasMenu, .automaticExposure: exposure], camera: "Camera")

    #expect(settings.first == CaptureControl.Setting(.automaticExposure, 3))
  }

  @Test(arguments: [(Int64(4_000_000), Int64(40)), (160_000, 2), (1, 1), (0, 1)])
  func countsExposureAsTheKernelDoes(nanoseconds: Int64, units: Int64) throws {
    let step = Step.manualExposure(duration: .nanoseconds(nanoseconds), gain: 7)

    #expect(
      try step.controlSettings(of: [:], camera: "Camera") == [
        CaptureControl.Setting(.exposureTime, .integer(units)), CaptureControl.Setting(.gain, 7),
      ])
  }

  @Test(arguments: [Duration.seconds(10_000_000_000), .seconds(Int64.max), .seconds(1e20)])
  func refusesExposuresThatNoCameraHas(duration: Duration) async throws {
    let studio = try await Self.studio()
    let settings = CapturePhotoSettings(bracketedSettings: [.manualExposure(duration: duration)])

    let log = await studio.takePhoto(settings).finished

    #expect(log.finalError?.code == .invalidControlValue)
    await studio.session.stop()
  }
}
