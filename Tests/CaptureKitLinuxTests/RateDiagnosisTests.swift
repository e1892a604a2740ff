import CaptureKitMocks
import Imaging
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct RateDiagnosisTests {
  private func diagnosis(
    _ delivered: Double?, _ change: (inout RateDiagnosis) -> Void = { _ in }
  ) -> RateDiagnosis {
    var diagnosis = RateDiagnosis(deviceName: "Camera")
    diagnosis.requested = .framesPerSecond(30)
    diagnosis.nominal = .framesPerSecond(30)
    diagnosis.delivered = delivered
    diagnosis.recent.delivered = 60
    change(&diagnosis)
    return diagnosis
  }

  @Test func findsNothingWhereAllIsWell() {
    #expect(diagnosis(29.8).report.cause == .none)
    #expect(diagnosis(nil).report.cause == .unknown)
  }

  @Test func blamesTheExposure() {
    let dark = diagnosis(15) { $0.exposure = .milliseconds(66) }
    #expect(dark.report.cause == .exposure)
    #expect(dark.report.sentence.contains("15.0"))
    #expect(diagnosis(15) { $0.exposureMayLowerRate = true }.report.cause == .exposure)
    // A long exposure that costs nothing is none of anybody's business.
    #expect(diagnosis(30) { $0.exposure = .milliseconds(66) }.report.cause == .none)
  }

  @Test func blamesTheBandwidth() {
    #expect(diagnosis(20) { $0.recent.lost = 30 }.report.cause == .bandwidth)
    #expect(
      diagnosis(15) { $0.nominal = .framesPerSecond(15) }.report.cause == .bandwidth)
  }

  @Test func blamesTheConsumer() {
    let slow = diagnosis(20) {
      $0.recent.outOfBuffers = 30
      $0.exposure = .milliseconds(66)
    }
    #expect(slow.report.cause == .consumer)
    let busy = diagnosis(30) { $0.recent.late = 20 }
    #expect(busy.report.cause == .consumer)
    #expect(busy.report.sentence.contains("20 of its last 60"))
    #expect(diagnosis(30) { $0.recent.late = 2 }.report.cause == .none)
  }

  @Test func seesWhatAConsumerIsTooSlowFor() async throws {
    let studio = try await Studio(
      MockCamera(frames: .testPattern(.yuyv, width: 64, height: 32)), clock: ManualClock())
    let session = studio.session
    let video = CaptureVideoDataOutput()
    try session.add(video)
    // Nobody reads from it.
    let loop = video.frames.makeAsyncIterator()
    try await session.start()

    await studio.clock.advancing(waiters: 1) {
      while session.statistics.late < 30 { await Task.yield() }
    }

    let report = session.rateReport()
    #expect(report.cause == .consumer && report.sentence.contains("too slow"))
    await session.stop()
    withExtendedLifetime(loop) {}
  }

  @Test func blamesDamage() {
    #expect(diagnosis(20) { $0.recent.damaged = 30 }.report.cause == .damage)
  }

  @Test func admitsThatItDoesNotKnow() {
    #expect(diagnosis(20).report.cause == .camera)
  }
}
