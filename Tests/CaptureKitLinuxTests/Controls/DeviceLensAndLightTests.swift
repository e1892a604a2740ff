import CaptureKitLinux
import CaptureKitMocks
import Testing

/// Focus, zoom, white balance and torch.
@Suite(.timeLimit(.minutes(1)))
struct DeviceLensAndLightTests {
  private typealias Setting = CaptureControl.Setting

  private let camera = MockCamera()

  private func lockedDevice(_ controls: [CaptureControl]? = nil) async throws -> CaptureDevice {
    if let controls { camera.controls = controls }
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

  @Test(arguments: [(0, 250), (1, 0), (0.5, 125), (0.3, 175)] as [(Float, Int64)])
  func movesTheLens(position: Float, number: Int64) async throws {
    let device = try await lockedDevice()
    try device.setFocusModeLocked(lensPosition: position)
    #expect(
      camera.controlSettings == [
        Setting(.automaticFocus, false), Setting(.focus, .integer(number)),
      ])
    #expect(device.focusMode == .locked)
    #expect(abs(try #require(device.lensPosition) - position) < 0.02)
  }

  @Test func focusesByItselfOrNot() async throws {
    let device = try await lockedDevice()
    #expect(device.focusMode == .continuousAutoFocus)
    #expect(!device.isFocusModeSupported(.autoFocus))
    camera.changeControl(.focus, to: 60)

    device.focusMode = .locked
    #expect(device.focusMode == .locked)
    #expect(camera.controlValues[.focus] == 60)

    device.focusMode = .continuousAutoFocus
    #expect(device.focusMode == .continuousAutoFocus)
    device.focusMode = .autoFocus
    #expect(device.lastError?.code == .unsupportedControl)
    #expect(code { try device.setFocusModeLocked(lensPosition: 1.1) } == .invalidControlValue)
  }

  @Test func focusesOnce() async throws {
    let device = try await lockedDevice(
      camera.controls + [CaptureControl(.startAutomaticFocus, name: "Focus", kind: .button)])
    try device.setFocusMode(.autoFocus)
    #expect(camera.controlSettings.map(\.id) == [.automaticFocus, .startAutomaticFocus])
    #expect(device.focusMode == .locked)
  }

  @Test(arguments: [(2800, 2800), (3004, 3000), (3006, 3010), (6500, 6500)] as [(Float, Float)])
  func balancesWhiteAtATemperature(wish: Float, temperature: Float) async throws {
    let device = try await lockedDevice()
    #expect(device.whiteBalanceMode == .continuousAutoWhiteBalance)
    try device.setWhiteBalanceModeLocked(temperature: wish)
    #expect(camera.controlSettings.map(\.id) == [.automaticWhiteBalance, .whiteBalanceTemperature])
    #expect(device.whiteBalanceTemperature == temperature)
    #expect(device.whiteBalanceMode == .locked)
  }

  @Test func knowsTheTemperaturesThatThereAre() async throws {
    let device = try await lockedDevice()
    #expect(
      (device.minWhiteBalanceTemperature, device.maxWhiteBalanceTemperature) == (2800, 6500))
    for temperature: Float in [2799, 7000, .nan] {
      #expect(
        code { try device.setWhiteBalanceModeLocked(temperature: temperature) }
          == .invalidControlValue)
    }
    device.whiteBalanceMode = .locked
    device.whiteBalanceMode = .continuousAutoWhiteBalance
    #expect(device.whiteBalanceMode == .continuousAutoWhiteBalance)
    device.whiteBalanceMode = .autoWhiteBalance
    #expect(device.lastError?.code == .unsupportedControl)
  }

  @Test func zooms() async throws {
    let device = try await lockedDevice()
    #expect(device.videoZoomFactor == 1)
    #expect(device.maxAvailableVideoZoomFactor == 4)
    device.videoZoomFactor = 2.5
    #expect(device.videoZoomFactor == 2.5)
    #expect(camera.controlSettings == [Setting(.zoom, 250)])
    for factor in [0.9, 4.1, .nan, .infinity] {
      #expect(code { try device.setVideoZoomFactor(factor) } == .invalidControlValue)
    }
  }

  @Test func shines() async throws {
    let device = try await lockedDevice([
      CaptureControl(
        .flashMode, name: "LED", kind: .menu, range: 0...2, defaultValue: 0,
        menu: [.init(0, "Off"), .init(2, "Torch")]),
      CaptureControl(
        .torchIntensity, name: "Torch", range: 10...30, step: 10, defaultValue: 10),
    ])
    #expect(device.hasTorch && device.isTorchAvailable && !device.isTorchActive)
    #expect(device.torchLevel == 0)
    try device.setTorchModeOn(level: 0.6)
    #expect(device.torchMode == .on)
    #expect(device.torchLevel == 0.5)
    device.torchMode = .off
    #expect(!device.isTorchActive)
    device.torchMode = .auto
    #expect(device.lastError?.code == .unsupportedControl)
    #expect(code { try device.setTorchModeOn(level: 0) } == .invalidControlValue)
  }

  @Test func saysWhatTheCameraLacks() async throws {
    let device = try await lockedDevice([])
    #expect(!CaptureDevice.FocusMode.allCases.contains(where: device.isFocusModeSupported))
    #expect(
      !CaptureDevice.WhiteBalanceMode.allCases.contains(where: device.isWhiteBalanceModeSupported))
    #expect(!device.hasTorch && !device.isTorchAvailable && device.torchMode == .off)
    #expect(device.videoZoomFactor == 1 && device.maxAvailableVideoZoomFactor == 1)
    #expect(device.lensPosition == nil && device.whiteBalanceTemperature == nil)
    let attempts: [() throws -> Void] = [
      { try device.setFocusMode(.locked) }, { try device.setFocusModeLocked(lensPosition: 1) },
      { try device.setWhiteBalanceMode(.locked) },
      { try device.setWhiteBalanceModeLocked(temperature: 5000) },
      { try device.setVideoZoomFactor(1) }, { try device.setTorchMode(.on) },
      { try device.setTorchModeOn(level: 1) },
    ]
    for attempt in attempts { #expect(code(attempt) == .unsupportedControl) }
  }

  @Test func doesNotGuessAFactorFromAZoomWithoutFocalLengths() async throws {
    let device = try await lockedDevice([CaptureControl(.zoom, name: "Zoom", range: 0...10)])
    #expect(device.maxAvailableVideoZoomFactor == 1)
    #expect(code { try device.setVideoZoomFactor(2) } == .unsupportedControl)
  }
}
