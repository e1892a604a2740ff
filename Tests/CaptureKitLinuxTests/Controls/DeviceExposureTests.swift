import CaptureKitMocks
import Imaging
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct DeviceExposureTests {
  private typealias Setting = CaptureControl.Setting

  private let camera = MockCamera()

  private func lockedDevice(_ change: ([CaptureControl]) -> [CaptureControl] = { $0 }) async throws
    -> CaptureDevice
  {
    camera.controls = change(camera.controls)
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera])])
    let device = try #require(try await environment.devices().first)
    try device.lockForConfiguration()
    return device
  }

  private func code(_ body: () throws -> Void) -> CaptureError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? CaptureError)?.code
    }
  }

  // MARK: The menu

  /// Items, default, and which of them is manual and automatic.
  @Test(
    arguments: [
      ([1, 3], 3, 1, 3), ([0, 1], 0, 1, 0), ([0, 1, 2, 3], 3, 1, 3), ([0, 1, 2, 3], 1, 1, 0),
      ([0, 2], 0, 2, 0), ([3], 3, nil, 3), ([1], 1, 1, nil), ([7], 7, nil, nil),
    ] as [([Int64], Int64, Int64?, Int64?)])
  func readsTheMenuOfEachCamera(
    items: [Int64], usual: Int64, manual: Int64?, automatic: Int64?
  ) {
    let control = CaptureControl(
      .automaticExposure, name: "Auto Exposure", kind: .menu, range: 0...9, defaultValue: usual,
      menu: items.map { .init($0, "Item \($0)") })
    let choices = ExposureChoices(control)
    #expect(choices.manual == manual)
    #expect(choices.automatic == automatic)
  }

  @Test(
    arguments: [
      (.milliseconds(10), 100), (.microseconds(149), 1), (.microseconds(151), 2),
      (.nanoseconds(1), 1), (.zero, 1), (.seconds(1_000_000), 864_000_000), (.seconds(-1), 1),
    ] as [(Duration, Int64)])
  func countsInUnitsOfAHundredMicroseconds(duration: Duration, units: Int64) {
    #expect(ControlScale.exposure(for: duration) == units)
  }

  // MARK: Modes

  @Test func startsAutomatic() async throws {
    let device = try await lockedDevice()
    #expect(device.exposureMode == .continuousAutoExposure)
    #expect(device.exposureDuration == .microseconds(15_600))
    #expect(device.minExposureDuration == .microseconds(100))
    #expect(device.maxExposureDuration == .seconds(1))
    #expect((device.iso, device.minISO, device.maxISO) == (10, 0, 100))
    #expect(
      CaptureDevice.ExposureMode.allCases.filter(device.isExposureModeSupported)
        == [.locked, .continuousAutoExposure, .custom])
  }

  @Test func fixesExposureAtValues() async throws {
    let device = try await lockedDevice()
    try device.setExposureModeCustom(duration: .milliseconds(5), iso: 40)

    #expect(
      camera.controlSettings == [
        Setting(.automaticExposure, 1), Setting(.exposureTime, 50), Setting(.gain, 40),
      ])
    #expect(device.exposureMode == .custom)
    #expect(device.exposureDuration == .milliseconds(5))
    #expect(device.iso == 40)

    device.exposureMode = .continuousAutoExposure
    #expect(device.exposureMode == .continuousAutoExposure)
    #expect(camera.controlValues[.automaticExposure] == 3)
    #expect(device.lastError == nil)
  }

  @Test func keepsTheExposureThatTheCameraHasFound() async throws {
    let device = try await lockedDevice()
    camera.changeControl(.exposureTime, to: 77)
    camera.changeControl(.gain, to: 33)

    device.exposureMode = .locked

    #expect(device.exposureMode == .locked)
    #expect(camera.controlSettings.contains(Setting(.exposureTime, 77)))
    #expect(camera.controlSettings.contains(Setting(.gain, 33)))
  }

  @Test func refusesWhatIsOutOfRange() async throws {
    let device = try await lockedDevice()
    for duration in [Duration.zero, .seconds(2), .seconds(-1)] {
      #expect(
        code { try device.setExposureModeCustom(duration: duration) } == .invalidControlValue)
    }
    #expect(code { try device.setExposureModeCustom(iso: 101) } == .invalidControlValue)
    #expect(code { try device.setExposureModeCustom(iso: .nan) } == .invalidControlValue)
    #expect(camera.controlSettings == [])
    #expect(device.exposureMode == .continuousAutoExposure)
  }

  @Test func keepsARefusalThatCannotBeThrown() async throws {
    let device = try await lockedDevice()
    device.exposureMode = .autoExpose
    #expect(device.lastError?.code == .unsupportedControl)
    device.unlockForConfiguration()
    device.exposureMode = .locked
    #expect(device.lastError?.code == .notLocked)
    device.setExposureModeCustom(duration: .milliseconds(1), iso: 1) { _ in
      Issue.record("told of a change that was refused")
    }
    #expect(camera.controlSettings == [])
  }

  @Test func tellsWhenTheCameraHasTheValues() async throws {
    let device = try await lockedDevice()
    var moment: HostTime?
    device.setExposureModeCustom(duration: .milliseconds(1), iso: 1) { moment = $0 }
    #expect(moment != nil)
    #expect(device.exposureMode == .custom)
  }

  @Test func holdsExposureByTheCamerasOwnLock() async throws {
    let device = try await lockedDevice {
      $0 + [CaptureControl(.lock3A, name: "Lock", kind: .bitmask, range: 0...7, defaultValue: 2)]
    }
    device.exposureMode = .locked
    #expect(device.exposureMode == .locked)
    #expect(camera.controlValues[.lock3A] == 3)
    #expect(camera.controlValues[.automaticExposure] == 3)

    device.exposureMode = .continuousAutoExposure
    #expect(device.exposureMode == .continuousAutoExposure)
    #expect(camera.controlValues[.lock3A] == 2)

    device.exposureMode = .locked
    try device.setExposureModeCustom(duration: .milliseconds(5))
    #expect(device.exposureMode == .custom)
    #expect(camera.controlValues[.lock3A] == 2)
  }

  @Test func readsISONumbersFromAMenuOfThousandths() async throws {
    let device = try await lockedDevice {
      $0 + [
        CaptureControl(
          .isoSensitivity, name: "ISO", kind: .integerMenu, range: 0...2, defaultValue: 0,
          menu: [
            .init(0, number: 100_000), .init(1, number: 200_000), .init(2, number: 400_000),
          ])
      ]
    }
    #expect((device.iso, device.minISO, device.maxISO) == (100, 100, 400))
    try device.setExposureModeCustom(iso: 230)
    #expect(device.iso == 200)
    #expect(code { try device.setExposureModeCustom(iso: 800) } == .invalidControlValue)
  }

  // MARK: Aim and rate

  @Test func aimsLighterAndDarker() async throws {
    let device = try await lockedDevice {
      $0 + [
        CaptureControl(
          .exposureBias, name: "Bias", kind: .integerMenu, range: 0...4, defaultValue: 2,
          menu: [-2000, -1000, 0, 1000, 2000].enumerated().map { .init(Int64($0), number: $1) })
      ]
    }
    #expect(device.exposureTargetBias == 0)
    #expect((device.minExposureTargetBias, device.maxExposureTargetBias) == (-2, 2))
    try device.setExposureTargetBias(-1.2)
    #expect(device.exposureTargetBias == -1)
    #expect(code { try device.setExposureTargetBias(3) } == .invalidControlValue)
  }

  @Test func saysWhetherDarknessMaySlowTheCameraDown() async throws {
    let device = try await lockedDevice()
    #expect(device.isAutoVideoFrameRateSupported)
    #expect(!device.isAutoVideoFrameRateEnabled)
    device.isAutoVideoFrameRateEnabled = true
    #expect(device.isAutoVideoFrameRateEnabled)
    #expect(camera.controlSettings == [Setting(.exposureMayLowerFrameRate, 1)])
  }

  @Test func saysWhatTheCameraLacks() async throws {
    let device = try await lockedDevice { _ in [] }
    #expect(CaptureDevice.ExposureMode.allCases.allSatisfy { !device.isExposureModeSupported($0) })
    #expect(device.exposureMode == .locked)
    #expect(device.exposureDuration == nil && device.iso == nil && device.maxISO == nil)
    #expect(code { try device.setExposureMode(.continuousAutoExposure) } == .unsupportedControl)
    #expect(code { try device.setExposureModeCustom(iso: 1) } == .unsupportedControl)
    #expect(code { try device.setExposureTargetBias(0) } == .unsupportedControl)
    #expect(code { try device.setAutoVideoFrameRateEnabled(true) } == .unsupportedControl)
    #expect(device.exposureTargetBias == 0 && device.minExposureTargetBias == 0)
  }
}
