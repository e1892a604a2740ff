import CaptureKitLinux
import CaptureKitMocks
import Imaging
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DeviceControlsTests {
  private typealias Setting = CaptureControl.Setting

  private let camera = MockCamera(frames: .testPattern(.yuyv, width: 320, height: 240))

  private func device() async throws -> CaptureDevice {
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera])])
    return try #require(try await environment.devices().first)
  }

  private func code(_ body: () throws -> Void) -> CaptureError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? CaptureError)?.code
    }
  }

  @Test func listsTheControlsAsTheyAreNow() async throws {
    let device = try await device()
    #expect(device.controls.map(\.id) == MockCamera.webcamControls.map(\.id))
    #expect(device.control(.focus)?.flags.contains(.inactive) == true)

    camera.changeControl(.automaticFocus, to: false)

    #expect(device.control(.focus)?.flags.contains(.inactive) == false)
    #expect(try device.value(of: .automaticFocus) == false)
    #expect(device.control(.tilt) == nil)
    #expect(code { _ = try device.value(of: .tilt) } == .unsupportedControl)
  }

  @Test func setsOnlyWhileLocked() async throws {
    let device = try await device()
    #expect(code { try device.setValue(20, for: .gain) } == .notLocked)

    try device.lockForConfiguration()
    try device.setValue(20, for: .gain)
    device.unlockForConfiguration()

    #expect(try device.value(of: .gain) == 20)
    #expect(code { try device.setValue(21, for: .gain) } == .notLocked)
    #expect(camera.controlSettings == [Setting(.gain, 20)])
  }

  @Test func switchesWhatGovernsOffFirst() async throws {
    let device = try await device()
    try device.lockForConfiguration()
    try device.setValues([Setting(.exposureTime, 100), Setting(.focus, 25)])

    #expect(
      camera.controlSettings == [
        Setting(.automaticExposure, 1), Setting(.automaticFocus, false),
        Setting(.exposureTime, 100), Setting(.focus, 25),
      ])
  }

  @Test func changesNothingWhereSomethingIsRefused() async throws {
    let device = try await device()
    try device.lockForConfiguration()
    let settings = [Setting(.gain, 5), Setting(.exposureTime, 10), Setting(.contrast, 1000)]
    #expect(code { try device.setValues(settings) } == .invalidControlValue)
    #expect(code { try device.setValue(1, for: .privacy) } == .controlNotWritable)
    #expect(camera.controlSettings == [])
  }

  @Test func putsTheGovernorBackWhereTheCameraRefuses() async throws {
    camera.script = [.controlFails(.exposureTime, CaptureError(.controlFailed))]
    let device = try await device()
    try device.lockForConfiguration()
    #expect(code { try device.setValue(10, for: .exposureTime) } == .controlFailed)
    #expect(try device.value(of: .automaticExposure) == 3)
  }

  @Test func readsWhatItCan() async throws {
    camera.script = [.controlFails(.gain, CaptureError(.controlFailed, "It stalls."))]
    let device = try await device()
    let values = try device.values()
    #expect(values[.gain] == nil)
    #expect(values[.brightness] == 0)
    #expect(values.count == MockCamera.webcamControls.count - 1)
    #expect(code { _ = try device.value(of: .gain) } == .controlFailed)
  }

  @Test func tellsOfChangesWhoeverMakesThem() async throws {
    let device = try await device()
    var changes = try device.controlChanges().makeAsyncIterator()

    camera.changeControl(.privacy, to: true)
    #expect(await changes.next()?.value == true)

    try device.lockForConfiguration()
    try device.setValue(false, for: .automaticFocus)
    let told = [await changes.next(), await changes.next()].compactMap { $0 }
    #expect(Set(told.map(\.id)) == [.automaticFocus, .focus])
    #expect(told.first { $0.id == .focus }?.descriptionChanged == true)

    camera.unplug()
    #expect(await changes.next() == nil)
  }

  @Test func saysThatTheCameraIsGone() async throws {
    let device = try await device()
    try device.lockForConfiguration()
    try device.setValue(20, for: .gain)
    camera.unplug()
    #expect(device.controls == [])
    #expect(code { _ = try device.loadControls() } == .disconnected)
    #expect(code { try device.setValue(20, for: .gain) } == .disconnected)
  }

  @Test func findsNoControlsWhereABackendHasNone() async throws {
    struct Plain: CaptureBackend {
      func devices() -> [CaptureDeviceDescription] {
        [CaptureDeviceDescription(uniqueID: "plain", localizedName: "Plain")]
      }
      func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
        throw CaptureError(.noDevice)
      }
    }
    let device = try #require(try await CaptureEnvironment(backends: [Plain()]).devices().first)
    #expect(try device.loadControls() == [])
    try device.lockForConfiguration()
    #expect(code { try device.setValue(1, for: .gain) } == .unsupportedControl)
    for await _ in try device.controlChanges() { Issue.record("a change of nothing") }
  }
}
