import Testing

@testable import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct StampCheckTests {
  private let now: UInt64 = 100_000_000_000

  private func stamp(
    _ nanoseconds: UInt64?, _ clock: BufferTimestamp.Clock = .monotonic
  ) -> BufferTimestamp {
    BufferTimestamp(nanoseconds: nanoseconds, clock: clock, source: .endOfFrame)
  }

  @Test func believesAStampOfTheHostsClock() {
    var check = StampCheck()
    #expect(check.check(stamp(now - 5), sequence: 0, now: now).nanoseconds == now - 5)
  }

  @Test func takesAnEndOfFrameThatIsYetToComeForNow() {
    var check = StampCheck()
    #expect(check.check(stamp(now + 900_000_000), sequence: 0, now: now).nanoseconds == now)
  }

  @Test func doubtsAnExposureThatIsYetToCome() {
    var check = StampCheck()
    let stamp = BufferTimestamp(nanoseconds: now + 1, clock: .monotonic, source: .startOfExposure)
    #expect(check.check(stamp, sequence: 0, now: now).nanoseconds == nil)
  }

  @Test(
    arguments: [
      (nil, .monotonic), (99_000_000_000, .unknown), (99_000_000_000, .copy),
      (102_000_000_001, .monotonic), (39_000_000_000, .monotonic), (1, .monotonic),
      (UInt64.max, .monotonic),
    ] as [(UInt64?, BufferTimestamp.Clock)])
  func doubtsOtherStamps(nanoseconds: UInt64?, clock: BufferTimestamp.Clock) {
    var check = StampCheck()
    #expect(check.check(stamp(nanoseconds, clock), sequence: 0, now: now).nanoseconds == nil)
  }

  @Test func doubtsAStampThatGoesBackwards() {
    var check = StampCheck()
    _ = check.check(stamp(now - 5), sequence: 0, now: now)
    #expect(check.check(stamp(now - 6), sequence: 1, now: now).nanoseconds == nil)
    #expect(check.check(stamp(now - 4), sequence: 2, now: now).nanoseconds == now - 4)
  }

  @Test func findsAFrameThatComesTwice() {
    var check = StampCheck()
    #expect(!check.check(stamp(now - 9), sequence: 4, now: now).isRepeated)
    #expect(check.check(stamp(now - 9), sequence: 4, now: now).isRepeated)
    #expect(!check.check(stamp(now - 9), sequence: 5, now: now).isRepeated)
    #expect(!check.check(stamp(now - 8), sequence: 5, now: now).isRepeated)
  }

  @Test func takesFramesWithoutNumberOrStampForNew() {
    var check = StampCheck()
    #expect(!check.check(stamp(nil), sequence: 0, now: now).isRepeated)
    #expect(!check.check(stamp(nil), sequence: 0, now: now).isRepeated)
  }
}
