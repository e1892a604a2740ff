import Testing

@testable import LinuxSystem

@Suite(.timeLimit(.minutes(1)))
struct PressureJudgeTests {
  private let second: UInt64 = 1_000_000_000

  @Test(
    arguments: [
      (0.0, nil), (0.84, nil), (0.85, .trim), (0.91, .trim), (0.92, .flush), (0.969, .flush),
      (0.97, .giveBack), (1.0, .giveBack), (1.5, .giveBack), (-1, nil),
    ] as [(Double, PressureLevel?)])
  func knowsTheLevels(part: Double, level: PressureLevel?) {
    var judge = PressureJudge()
    #expect(judge.level(usedPart: part, at: 0) == level)
  }

  @Test func saysALevelAgainWhenItHasLasted() {
    var judge = PressureJudge()
    #expect(judge.level(usedPart: 0.9, at: 0) == .trim)
    for time in 1..<10 { #expect(judge.level(usedPart: 0.9, at: UInt64(time) * second) == nil) }
    #expect(judge.level(usedPart: 0.9, at: 10 * second) == .trim)
    #expect(judge.level(usedPart: 0.9, at: 11 * second) == nil)
  }

  @Test func saysEachRiseAtOnce() {
    var judge = PressureJudge()
    let levels = [0.86, 0.93, 0.98].map { judge.level(usedPart: $0, at: 0) }
    #expect(levels == [.trim, .flush, .giveBack])
    #expect(judge.level(usedPart: 0.93, at: second) == nil)
    #expect(judge.level(usedPart: 0.98, at: 2 * second) == .giveBack)
  }

  @Test func countsTheTimeFromWhatItSaidLast() {
    var judge = PressureJudge()
    #expect(judge.level(usedPart: 0.98, at: 0) == .giveBack)
    #expect(judge.level(usedPart: 0.93, at: 6 * second) == nil)
    #expect(judge.level(usedPart: 0.93, at: 10 * second) == .flush)
  }

  @Test func beginsAnewAfterThePressure() {
    var judge = PressureJudge()
    #expect(judge.level(usedPart: 0.9, at: 0) == .trim)
    #expect(judge.level(usedPart: 0.2, at: second) == nil)
    #expect(judge.level(usedPart: 0.9, at: 2 * second) == .trim)
  }
}
