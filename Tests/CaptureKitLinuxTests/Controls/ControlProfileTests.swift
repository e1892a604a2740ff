import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ControlProfileTests {
  private typealias Setting = CaptureControl.Setting

  private let camera = MockCamera()

  private func device() async throws -> CaptureDevice {
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera])])
    return try #require(try await environment.devices().first)
  }

  @Test func keepsWhatCanBeSetAgain() async throws {
    camera.controls = [
      CaptureControl(.gain, name: "Gain", range: 0...100, defaultValue: 10),
      CaptureControl(.privacy, name: "Privacy", kind: .boolean, flags: .readOnly),
      CaptureControl(.iris, name: "Iris", flags: .volatile),
      CaptureControl(.startAutomaticFocus, name: "Focus", kind: .button),
      CaptureControl(.automaticFocus, name: "Auto Focus", kind: .boolean, defaultValue: 1),
      CaptureControl(.focus, name: "Focus", range: 0...9, defaultValue: 3),
      CaptureControl(.lock3A, name: "Region", kind: .compound, flags: .hasPayload),
      CaptureControl(.hue, name: "Hue", range: 0...9, flags: .writeOnly),
      CaptureControl(.tilt, name: "Tilt", range: 0...9, defaultValue: 4),
    ]
    camera.script = [.controlFails(.tilt, CaptureError(.controlFailed))]
    let profile = try await device().controlProfile()
    #expect(profile.settings == [Setting(.gain, 10), Setting(.automaticFocus, true)])
    #expect(profile.modelID == "mock")
  }

  @Test func isAppliedAfterAReplugInTheOrderThatItNeeds() async throws {
    let before = try await device()
    try before.lockForConfiguration()
    try before.setExposureModeCustom(duration: .milliseconds(7), iso: 55)
    try before.setFocusModeLocked(lensPosition: 0.5)
    let profile = try before.controlProfile()
    let stored = try JSONEncoder().encode(profile)

    camera.unplug()
    camera.replug()
    // Its settings are gone, as a camera's are.
    camera.controls = MockCamera.webcamControls
    let after = try await device()
    try after.lockForConfiguration()
    let restored = try JSONDecoder().decode(CaptureDevice.ControlProfile.self, from: stored)
    let refusals = try after.apply(restored)

    #expect(refusals.isEmpty)
    #expect(restored == profile)
    #expect(try after.controlProfile() == profile)
    #expect(after.exposureDuration == .milliseconds(7))
    #expect(camera.controlValues[.focus] == 125)
  }

  @Test func saysWhatWasNotTakenAndTakesTheRest() async throws {
    camera.script = [.controlFails(.contrast, CaptureError(.controlFailed, "It stalls."))]
    let device = try await device()
    try device.lockForConfiguration()
    let profile = CaptureDevice.ControlProfile(settings: [
      Setting(.tilt, 5), Setting(.gain, 500), Setting(.contrast, 3), Setting(.brightness, 9),
      Setting(.automaticFocus, true), Setting(.focus, 10), Setting(.privacy, true),
    ])

    let refusals = try device.apply(profile)

    #expect(
      Dictionary(uniqueKeysWithValues: refusals.map { ($0.setting.id, $0.error.code) }) == [
        .tilt: .unsupportedControl, .gain: .invalidControlValue, .contrast: .controlFailed,
        .focus: .controlNotWritable, .privacy: .controlNotWritable,
      ])
    #expect(camera.controlValues[.brightness] == 9)
  }

  @Test func needsTheLockAndTheCamera() async throws {
    let device = try await device()
    let profile = try device.controlProfile()
    #expect(throws: CaptureError.self) { try device.apply(profile) }
    try device.lockForConfiguration()
    camera.unplug()
    #expect(throws: CaptureError.self) { try device.apply(profile) }
    #expect(throws: CaptureError.self) { try device.controlProfile() }
  }

  @Test func isStoredReadably() throws {
    let profile = CaptureDevice.ControlProfile(
      modelID: "1d6b:0102", settings: [Setting(.gain, 5), Setting(.tilt, "text")])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(profile), as: UTF8.self)
        == #"{"modelID":"1d6b:0102","settings":[{"id":9963795,"value":5},{"id":10094857,"value":"text"}]}"#
    )
  }
}
