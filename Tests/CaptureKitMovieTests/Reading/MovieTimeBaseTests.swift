import Testing

@testable import CaptureKitMovie

@Suite(.timeLimit(.minutes(1)))
struct MovieTimeBaseTests {
  static let bases = [(1, 1000), (1, 90_000), (1, 3), (1001, 30_000), (1, 1_000_000_000), (7, 13)]

  @Test(arguments: bases)
  func leadsBackToTheSameNumber(_ numerator: Int, _ denominator: Int) throws {
    let base = try #require(MovieTimeBase(numerator: numerator, denominator: denominator))

    for ticks in [0, 1, 2, 3, 29, 1000, 123_456_789, 987_654_321_012, -1, -29, -1000] as [Int64] {
      #expect(base.ticks(in: base.duration(ofTicks: ticks)) == ticks)
      #expect(base.ticks(in: base.duration(ofTicks: ticks) - Duration(attoseconds: 1)) == ticks - 1)
    }
  }

  @Test func countsSecondsExactly() throws {
    let base = try #require(MovieTimeBase(numerator: 1, denominator: 1000))

    #expect(base.duration(ofTicks: 1500) == .milliseconds(1500))
    #expect(base.duration(ofTicks: -1500) == .milliseconds(-1500))
    #expect(base.ticks(in: .microseconds(1999)) == 1)
    #expect(base.ticks(in: .microseconds(-1)) == -1)
  }

  @Test func staysWithinItsNumbers() throws {
    let fine = try #require(MovieTimeBase(numerator: 1, denominator: Int(Int32.max)))
    let coarse = try #require(MovieTimeBase(numerator: Int(Int32.max), denominator: 1))

    #expect(fine.ticks(in: .seconds(Int64.max)) == .max)
    #expect(fine.ticks(in: .seconds(Int64.min)) == .min)
    #expect(coarse.duration(ofTicks: .max) >= .seconds(Int64.max))
    #expect(coarse.duration(ofTicks: .min) <= .seconds(Int64.min))
  }

  @Test(arguments: [(0, 1), (1, 0), (-1, 25), (1, -25), (Int.max, 1), (1, Int.max)])
  func refusesWhatIsNoFraction(_ numerator: Int, _ denominator: Int) {
    #expect(MovieTimeBase(numerator: numerator, denominator: denominator) == nil)
  }
}
