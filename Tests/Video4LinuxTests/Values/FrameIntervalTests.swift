import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct FrameIntervalTests {
  private func interval(_ numerator: UInt32, _ denominator: UInt32) throws -> FrameInterval {
    try #require(FrameInterval(numerator: numerator, denominator: denominator))
  }

  @Test(arguments: [(0, 30), (1, 0), (0, 0)] as [(UInt32, UInt32)])
  func refusesWhatIsNoDuration(numerator: UInt32, denominator: UInt32) {
    #expect(FrameInterval(numerator: numerator, denominator: denominator) == nil)
  }

  @Test func comparesDurationsExactly() throws {
    #expect(try interval(1, 30) < interval(1001, 30000))
    #expect(try interval(2, 60) == interval(1, 30))
    #expect(try interval(2, 60).hashValue == interval(1, 30).hashValue)
    #expect(try interval(UInt32.max, 1) > interval(UInt32.max - 1, 1))
  }

  @Test(
    arguments: [
      (1, 30, 33_333_333), (1001, 30000, 33_366_666), (2, 15, 133_333_333),
      (UInt32.max, 1, 4_294_967_295_000_000_000), (1, UInt32.max, 0),
    ] as [(UInt32, UInt32, UInt64)])
  func countsNanoseconds(numerator: UInt32, denominator: UInt32, nanoseconds: UInt64) throws {
    #expect(try interval(numerator, denominator).nanoseconds == nanoseconds)
  }

  @Test func knowsTheEndsOfAList() throws {
    #expect(try FrameIntervals.usual.range == interval(1, 30)...interval(2, 15))
    #expect(FrameIntervals.discrete([]).range == nil)
  }
}
