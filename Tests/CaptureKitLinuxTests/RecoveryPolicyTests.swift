import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct RecoveryPolicyTests {
  typealias Action = RecoveryPolicy.Action

  private func actions(
    _ fault: RecoveryPolicy.Fault, count: Int, _ change: (inout CaptureRecovery) -> Void = { _ in }
  ) -> [Action] {
    var settings = CaptureRecovery()
    change(&settings)
    var policy = RecoveryPolicy(settings)
    return (0..<count).map { _ in policy.next(after: fault, isOpen: true) }
  }

  @Test(arguments: [
    RecoveryPolicy.Fault.stalled, .damagedRun, .failed(.streamFailed), .failed(.backendFailed),
  ])
  func restartsThenReopensThenGivesUp(fault: RecoveryPolicy.Fault) {
    #expect(
      actions(fault, count: 6) == [
        .step(.restart, after: .zero), .step(.restart, after: .milliseconds(100)),
        .step(.reopen, after: .zero), .step(.reopen, after: .milliseconds(500)),
        .step(.reopen, after: .seconds(1)), .giveUp,
      ])
  }

  @Test func resetsTheUSBDeviceOnlyWhereThatIsAllowed() {
    let steps = actions(.stalled, count: 8) { $0.resetsUSBDevice = true }
    #expect(steps[5] == .step(.usbReset, after: .zero))
    #expect(steps[6] == .step(.reopen, after: .seconds(1)))
    #expect(steps[7] == .giveUp)
  }

  @Test func reopensWhatCannotBeRestarted() {
    var policy = RecoveryPolicy(CaptureRecovery())
    #expect(
      policy.next(after: .failed(.streamFailed), isOpen: false) == .step(.reopen, after: .zero))
  }

  @Test func givesUpAtOnceWhereNoLadderIsWanted() {
    var policy = RecoveryPolicy(.none)
    #expect(policy.next(after: .failed(.streamFailed), isOpen: true) == .giveUp)
    #expect(policy.stallLimit(frameDuration: nil, isFirst: true) == nil)
  }

  @Test(arguments: [
    CaptureError.Code.disconnected, .noDevice, .notPermitted, .usbBandwidth,
    .unsupportedFormat,
  ])
  func doesNotTryWhatCannotHelp(code: CaptureError.Code) {
    #expect(actions(.failed(code), count: 1) == [.giveUp])
  }

  @Test(
    arguments: [
      (.inUse, .videoDeviceInUseByAnotherClient), (.noSignal, .noSignal),
      (.privacyShutter, .privacyShutter),
    ] as [(CaptureError.Code, CaptureSession.InterruptionReason)])
  func waitsWithABoundedPauseForWhatIsNotBroken(
    code: CaptureError.Code, reason: CaptureSession.InterruptionReason
  ) {
    let pauses = [250, 500, 1000, 2000, 2000, 2000]
    #expect(
      actions(.failed(code), count: 6)
        == pauses.map { .wait(reason, retryAfter: .milliseconds($0)) })
  }

  @Test func waitsForAnUnpluggedCameraWhereAskedTo() {
    var policy = RecoveryPolicy(CaptureRecovery(), resumesAfterReconnect: true)
    #expect(
      policy.next(after: .failed(.disconnected), isOpen: true)
        == .wait(.videoDeviceDisconnected, retryAfter: .milliseconds(250)))
  }

  @Test func renegotiatesAsOftenAsTheSourceChanges() {
    let steps = actions(.failed(.sourceChanged), count: 100)
    #expect(steps[0] == .step(.renegotiate, after: .zero))
    #expect(steps[99] == .step(.renegotiate, after: .seconds(2)))
  }

  @Test func beginsAtTheFootAfterTenSecondsOfPictures() {
    var policy = RecoveryPolicy(CaptureRecovery())
    let start = HostTime(nanoseconds: 0)
    for _ in 0..<4 { _ = policy.next(after: .stalled, isOpen: true) }
    policy.started()
    policy.wholeFrame(at: start)
    policy.wholeFrame(at: start.advanced(by: .seconds(9)))
    #expect(policy.next(after: .stalled, isOpen: true) == .step(.reopen, after: .seconds(1)))
    policy.started()
    policy.wholeFrame(at: start.advanced(by: .seconds(20)))
    policy.wholeFrame(at: start.advanced(by: .seconds(30)))
    #expect(policy.next(after: .stalled, isOpen: true) == .step(.restart, after: .zero))
  }

  @Test func countsDamagedFramesInARowOnly() {
    var settings = CaptureRecovery()
    settings.damagedFrameLimit = 3
    var policy = RecoveryPolicy(settings)
    #expect([policy.damagedFrame(), policy.damagedFrame()] == [false, false])
    policy.wholeFrame(at: HostTime(nanoseconds: 0))
    #expect(
      [policy.damagedFrame(), policy.damagedFrame(), policy.damagedFrame()] == [false, false, true])
  }

  @Test(
    arguments: [
      (.milliseconds(33), false, .seconds(2)), (.milliseconds(33), true, .seconds(5)),
      (.milliseconds(200), false, .seconds(6)), (.seconds(1), false, .seconds(10)),
      (.seconds(8), false, .seconds(24)), (.seconds(8), true, .seconds(48)),
      (nil, false, .seconds(5)), (nil, true, .seconds(10)),
    ] as [(Duration?, Bool, Duration)])
  func takesSilenceForAStallByTheFrameDuration(
    frame: Duration?, isFirst: Bool, limit: Duration
  ) {
    let policy = RecoveryPolicy(CaptureRecovery())
    #expect(policy.stallLimit(frameDuration: frame, isFirst: isFirst) == limit)
  }

  @Test(arguments: [Int.min, -1, 0])
  func toleratesLimitsThatAreNone(limit: Int) {
    var settings = CaptureRecovery()
    settings.restartLimit = limit
    settings.reopenLimit = limit
    settings.damagedFrameLimit = limit
    settings.resetsUSBDevice = true
    var policy = RecoveryPolicy(settings)

    let actions = (0..<2).map { _ in policy.next(after: .stalled, isOpen: true) }
    let isFault = policy.damagedFrame()

    #expect(actions == [.step(.usbReset, after: .zero), .giveUp] && isFault)
  }
}
