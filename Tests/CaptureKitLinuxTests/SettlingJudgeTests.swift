import Imaging
import Testing

@testable import CaptureKitLinux

/// When a camera's exposure has settled, told from what its first frames look like.
@Suite(.timeLimit(.minutes(1)))
struct SettlingJudgeTests {
  /// How cameras start: luma frame by frame, and the frames by which it must be said to have
  /// settled.
  struct Curve: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var luma: [Double]
    /// White balance; still where nothing is said.
    var red: [Double] = []
    var milliseconds: Int64 = 33
    /// nil where it must never be said.
    var settledWithin: ClosedRange<Int>?
  }

  static let curves = [
    Curve(
      testDescription: "steady from the start", luma: Array(repeating: 110, count: 12),
      settledWithin: 5...5),
    Curve(
      testDescription: "black, then there", luma: [2, 2, 2, 2, 2, 2, 2, 2] + steady(96),
      settledWithin: 13...13),
    Curve(
      testDescription: "the first two blown out", luma: [255, 252, 128, 122, 120] + steady(119),
      settledWithin: 8...10),
    Curve(
      testDescription: "twenty-five frames of slow exposure",
      luma: (0..<25).map { 20 + 4 * Double($0) } + steady(120), settledWithin: 26...31),
    Curve(
      testDescription: "exposure that overshoots",
      luma: [10, 60, 120, 170, 190, 180, 160, 140, 128, 122, 120] + steady(120),
      settledWithin: 13...16),
    Curve(
      testDescription: "slow and dark", luma: (0..<30).map { 12 + 0.4 * Double($0) } + steady(24),
      settledWithin: 30...36),
    Curve(
      testDescription: "purple until white balance is found", luma: steady(100) + steady(100),
      red: (0..<12).map { 30 - 2.5 * Double($0) } + Array(repeating: 0, count: 12),
      settledWithin: 12...17),
    Curve(
      testDescription: "lamps that flicker",
      luma: (0..<24).map { 100 + 6 * [0, 1, -1][$0 % 3] }, settledWithin: 5...8),
    Curve(testDescription: "a cap on the lens", luma: Array(repeating: 3, count: 40)),
    Curve(testDescription: "blown out for good", luma: Array(repeating: 254, count: 40)),
    Curve(
      testDescription: "exposure that hunts",
      luma: (0..<60).map { 100 + 20 * ($0 / 5 % 2 == 0 ? 1 : -1) }),
    Curve(
      testDescription: "fast frames are not taken for a long time",
      luma: (0..<20).map { 20 + 2.5 * Double($0) } + steady(70) + steady(70) + steady(70),
      milliseconds: 8, settledWithin: 24...50),
  ]

  static func steady(_ luma: Double) -> [Double] {
    (0..<12).map { luma + 0.2 * Double($0 % 3 - 1) }
  }

  @Test(arguments: curves)
  func seesWhenItHasSettled(curve: Curve) {
    var judge = SettlingJudge()
    var settledAt: Int?
    for (index, luma) in curve.luma.enumerated() where settledAt == nil {
      let red = curve.red.indices.contains(index) ? curve.red[index] : curve.red.last ?? 0
      judge.look(
        at: AverageColor(luma: luma, redDifference: red),
        takenAt: HostTime(
          nanoseconds: 1_000_000_000 + Int64(index) * curve.milliseconds * 1_000_000))
      if judge.hasSettled { settledAt = index }
    }
    guard let expected = curve.settledWithin else {
      #expect(settledAt == nil)
      return
    }
    #expect(settledAt.map { expected.contains($0) } == true, "settled at \(settledAt ?? -1)")
  }

  @Test func looksNoFurtherOnceItHasSettled() {
    var judge = SettlingJudge()
    for index in 0..<6 {
      judge.look(
        at: AverageColor(luma: 100), takenAt: HostTime(nanoseconds: Int64(index) * 33_000_000))
    }

    #expect(judge.hasSettled)
    #expect(!judge.wants(frameAt: HostTime(nanoseconds: 10_000_000_000)))
  }
}
