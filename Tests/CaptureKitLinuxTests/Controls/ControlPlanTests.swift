import CaptureKitMocks
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct ControlPlanTests {
  private typealias Setting = CaptureControl.Setting

  private let webcam = Dictionary(
    uniqueKeysWithValues: MockCamera.webcamControls.map { ($0.id, $0) })

  private func plan(
    _ settings: [Setting], _ controls: [CaptureControl.ID: CaptureControl]? = nil,
    values: [CaptureControl.ID: Int64] = [:]
  ) -> ControlPlan {
    ControlPlan(settings, controls: controls ?? webcam, values: values, camera: "Webcam")
  }

  @Test func setsWhatGovernsBeforeWhatIsGoverned() {
    let plan = plan(
      [
        Setting(.focus, 100), Setting(.brightness, 3), Setting(.automaticFocus, false),
        Setting(.exposureTime, 50), Setting(.automaticExposure, 1),
      ], values: [.automaticFocus: 1, .automaticExposure: 3])

    #expect(
      plan.stages == [
        [Setting(.automaticFocus, false), Setting(.automaticExposure, 1)],
        [Setting(.focus, 100), Setting(.brightness, 3), Setting(.exposureTime, 50)],
      ])
    #expect(plan.implied == [])
    #expect(plan.refusals.isEmpty)
  }

  @Test(
    arguments: [
      (.exposureTime, 50, .automaticExposure, 3, 1), (.focus, 5, .automaticFocus, 1, 0),
      (.whiteBalanceTemperature, 3000, .automaticWhiteBalance, 1, 0),
    ] as [(CaptureControl.ID, Int64, CaptureControl.ID, Int64, Int64)])
  func switchesAGovernorOffThatNobodyMentions(
    id: CaptureControl.ID, value: Int64, governor: CaptureControl.ID, on: Int64, off: Int64
  ) {
    let isOn = plan([Setting(id, .integer(value))], values: [governor: on])
    #expect(isOn.stages == [[Setting(governor, .integer(off))], [Setting(id, .integer(value))]])

    let isOff = plan([Setting(id, .integer(value))], values: [governor: off])
    #expect(isOff.stages == [[Setting(id, .integer(value))]])
  }

  @Test func goesByTheDriversFlagWhereAGovernorCannotBeRead() {
    var controls = webcam
    controls[.exposureTime] = CaptureControl(
      .exposureTime, name: "Exposure", range: 1...100, flags: .inactive)
    #expect(plan([Setting(.exposureTime, 7)], controls).implied == [Setting(.automaticExposure, 1)])
    #expect(plan([Setting(.exposureTime, 7)]).implied == [])
  }

  @Test func leavesTheGainAloneWhereItCanBeSetWithAutomaticExposure() {
    let plan = plan([Setting(.gain, 20)], values: [.automaticExposure: 3])
    #expect(plan.stages == [[Setting(.gain, 20)]])
  }

  @Test func refusesAGovernedValueTogetherWithItsGovernor() {
    let plan = plan([Setting(.automaticFocus, true), Setting(.focus, 10)])
    #expect(plan.refusals.map(\.setting.id) == [.focus])
    #expect(plan.refusals.first?.error.code == .controlNotWritable)
    #expect(plan.stages == [[Setting(.automaticFocus, true)]])
  }

  @Test func refusesWhatAGovernorWithoutAManualValueGoverns() {
    var controls = webcam
    controls[.automaticExposure] = CaptureControl(
      .automaticExposure, name: "Auto Exposure", kind: .menu, range: 0...3,
      menu: [.init(0, "Auto"), .init(3, "Aperture Priority")])
    let plan = plan([Setting(.exposureTime, 7)], controls, values: [.automaticExposure: 0])
    #expect(plan.refusals.first?.error.code == .controlNotWritable)
    #expect(plan.stages.isEmpty)
  }

  @Test func refusesWhatIsInactiveForAReasonThatIsNotKnown() {
    let control = CaptureControl(.sharpness, name: "Sharpness", flags: .inactive)
    let plan = plan([Setting(.sharpness, 1)], [.sharpness: control])
    #expect(plan.refusals.first?.error.code == .controlNotWritable)
  }

  @Test(
    arguments: [
      (.readOnly, .controlNotWritable), (.grabbed, .controlNotWritable),
      (.disabled, .controlNotWritable), (.volatile, nil), (.slider, nil), (.writeOnly, nil),
    ] as [(CaptureControl.Flags, CaptureError.Code?)])
  func looksAtTheFlagsBefore(flags: CaptureControl.Flags, code: CaptureError.Code?) {
    let control = CaptureControl(.contrast, name: "Contrast", range: 0...9, flags: flags)
    let plan = plan([Setting(.contrast, 1)], [.contrast: control])
    #expect(plan.refusals.first?.error.code == code)
    if let error = plan.refusals.first?.error {
      #expect("\(error)".contains("“Contrast” of Webcam"))
    }
  }

  @Test func refusesAControlThatIsNotThere() {
    #expect(plan([Setting(.tilt, 1)]).refusals.first?.error.code == .unsupportedControl)
  }

  @Test func takesTheLastOfSeveralWishes() {
    let plan = plan([Setting(.gain, 1), Setting(.contrast, 2), Setting(.gain, 3)])
    #expect(plan.stages == [[Setting(.contrast, 2), Setting(.gain, 3)]])
  }

  // MARK: Values

  @Test(
    arguments: [
      // Steps count from the lowest value, not from 0.
      (3...23, 5, 3, 3), (3...23, 5, 8, 8), (3...23, 5, 10, 8), (3...23, 5, 11, 13),
      (3...23, 5, 23, 23), (-7...8, 10, 0, 3), (-7...8, 10, 8, 3), (0...10, 20, 7, 0),
      (.min ... .max, 2, .max, .max), (.min ... .max, .max, 5, 5), (1...3, 1, 2, 2),
    ] as [(ClosedRange<Int64>, Int64, Int64, Int64)])
  func countsStepsFromTheLowestValue(
    range: ClosedRange<Int64>, step: Int64, wish: Int64, value: Int64
  ) throws {
    let control = CaptureControl(.gain, name: "Gain", range: range, step: step)
    #expect(try control.checked(.integer(wish), of: "Webcam") == .integer(value))
    #expect(control.accepts(.integer(wish)) == (wish == value))
  }

  @Test(
    arguments: [
      (.integer, 10, false), (.integer, 9, true), (.integer, -1, false), (.boolean, 1, true),
      (.menu, 1, false), (.menu, 2, true), (.integerMenu, 2, true), (.integerMenu, 3, false),
      (.bitmask, 8, true), (.bitmask, 16, false), (.bitmask, -1, false), (.button, 77, true),
      (.string, "four", true), (.string, "twenty characters...", false), (.integer, "1", false),
      (.string, 1, false), (.compound, 1, false),
    ] as [(CaptureControl.Kind, CaptureControl.Value, Bool)])
  func refusesValuesThatTheControlDoesNotHave(
    kind: CaptureControl.Kind, value: CaptureControl.Value, isAccepted: Bool
  ) {
    let control = CaptureControl(
      .contrast, name: "Contrast", kind: kind, range: 0...9, menu: [.init(0, "None"), .init(2, "")])
    let mask = CaptureControl(.contrast, name: "Contrast", kind: kind, range: 0...0xC)
    let tried = kind == .bitmask ? mask : control
    #expect(tried.accepts(value) == isAccepted)
    let refusal = plan([Setting(.contrast, value)], [.contrast: tried]).refusals.first?.error
    if kind == .compound {
      #expect(refusal?.code == .controlNotWritable)
    } else {
      #expect(refusal?.code == (isAccepted ? nil : .invalidControlValue))
    }
  }

  @Test func saysWhatAMenuOffers() {
    let sentence = plan([Setting(.automaticExposure, 2)]).refusals.first?.error.description ?? ""
    let offer = "1 (Manual Mode), 3 (Aperture Priority Mode), not 2"
    #expect(sentence.contains(offer))
  }
}
