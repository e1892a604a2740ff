import CaptureKitLinux
import CaptureKitMocks
import Testing

/// Controls whose numbers reach as far as 64 bits do, which is further than fractions tell apart.
@Suite(.timeLimit(.minutes(1)))
struct ControlExtremesTests {
  private static let everything = Int64.min...Int64.max

  private let camera = MockCamera()

  private func lockedDevice(_ controls: [CaptureControl]) async throws -> CaptureDevice {
    camera.controls = controls
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera])])
    let device = try #require(try await environment.devices().first)
    try device.lockForConfiguration()
    return device
  }

  @Test(arguments: [Int64(1), 1 << 62, .max])
  func canBeSetToTheirHighestNumbers(step: Int64) async throws {
    let ids: [CaptureControl.ID] = [.gain, .whiteBalanceTemperature, .exposureBias, .exposureTime]
    let device = try await lockedDevice(
      ids.map {
        CaptureControl($0, name: "", kind: .integer64, range: Self.everything, step: step)
      } + [
        CaptureControl(
          .zoom, name: "", kind: .integer64, range: 1...Int64.max, step: step, defaultValue: 1)
      ])

    try device.setExposureModeCustom(iso: device.maxISO)
    try device.setWhiteBalanceModeLocked(temperature: device.maxWhiteBalanceTemperature)
    try device.setVideoZoomFactor(device.maxAvailableVideoZoomFactor)
    try device.setExposureTargetBias(device.maxExposureTargetBias)

    for id in [.gain, .whiteBalanceTemperature, .exposureBias] as [CaptureControl.ID] {
      #expect(try #require(camera.controlValues[id]?.number) > Int64.max / 4)
    }
    // One more than the largest step is no number any more.
    let zoom = try #require(camera.controlValues[.zoom]?.number)
    #expect(step == .max ? zoom == 1 : zoom > Int64.max / 4)
  }

  @Test func reachFromEndToEndInSmallSteps() async throws {
    let device = try await lockedDevice([
      CaptureControl(.exposureBias, name: "Bias", range: -3000...3000, defaultValue: 0)
    ])
    #expect((device.minExposureTargetBias, device.maxExposureTargetBias) == (-3, 3))

    try device.setExposureTargetBias(2.5)

    #expect(device.exposureTargetBias == 2.5)
  }
}
