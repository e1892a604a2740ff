import CaptureKitLinux
import Testing

@testable import CaptureKitMovie

@Suite(.timeLimit(.minutes(1)))
struct MovieTimelineTests {
  private static let milliseconds = MovieTimeline.TimeBase(numerator: 1, denominator: 1000)

  /// Stamps in milliseconds, and the times that follow from them.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let stamps: [Int64]
    let times: [Int64]
  }

  static let rows: [Row] = [
    Row(testDescription: "even", stamps: [5000, 5033, 5067], times: [0, 33, 67]),
    Row(testDescription: "a gap stays", stamps: [5000, 5033, 6000], times: [0, 33, 1000]),
    Row(testDescription: "equal stamps", stamps: [5000, 5000, 5000, 5033], times: [0, 1, 2, 33]),
    Row(testDescription: "a step back", stamps: [5000, 5033, 5020, 5066], times: [0, 33, 34, 66]),
    Row(
      testDescription: "the clock is set back", stamps: [5000, 5033, 10, 43, 76],
      times: [0, 33, 66, 99, 132]),
    Row(
      testDescription: "the clock is set forward", stamps: [5000, 5033, 9_000_000, 9_000_033],
      times: [0, 33, 66, 99]),
    Row(testDescription: "before the epoch", stamps: [-100, -67, 0], times: [0, 33, 100]),
    Row(
      testDescription: "the ends of the clock",
      stamps: [Int64.min / 1_000_000, Int64.max / 1_000_000, 0], times: [0, 33, 66]),
  ]

  @Test(arguments: rows)
  func placesFramesWhereTheirStampsSay(row: Row) {
    var timeline = MovieTimeline(timeBase: Self.milliseconds, frameDuration: .thirtieth)

    let times = row.stamps.map { timeline.place(HostTime(nanoseconds: $0 &* 1_000_000)) }

    #expect(times.elementsEqual(row.times) { abs($0 - $1) <= 1 })
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func cutsPausesOut() {
    var timeline = MovieTimeline(timeBase: Self.milliseconds, frameDuration: .thirtieth)
    _ = timeline.place(HostTime(nanoseconds: 5_000_000_000))
    _ = timeline.place(HostTime(nanoseconds: 5_100_000_000))

    timeline.cut()

    let times = [65_000, 65_040].map {
      timeline.place(HostTime(nanoseconds: $0 * 1_000_000))
    }

    #expect(times == [133, 173])
    #expect(timeline.end == .milliseconds(206))
  }

  @Test func bearsFramesThatTakeAHundredYears() throws {
    let century = try #require(FrameDuration(numerator: .max, denominator: 1))
    var timeline = MovieTimeline(timeBase: Self.milliseconds, frameDuration: century)

    let times = (0..<Int64(6)).map { number in
      timeline.cut()
      return timeline.place(HostTime(nanoseconds: number))
    }

    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func beginsAtZeroAfterAPauseBeforeTheFirstFrame() {
    var timeline = MovieTimeline(timeBase: Self.milliseconds, frameDuration: .thirtieth)

    timeline.cut()

    let times = [7000, 7010].map { timeline.place(HostTime(nanoseconds: $0 * 1_000_000)) }

    #expect(times == [0, 10])
  }

  @Test(arguments: [
    (MovieTimeline.TimeBase(numerator: 1, denominator: 90_000), Int64(33_366_667), Int64(3003)),
    (MovieTimeline.TimeBase(numerator: 1, denominator: 1000), Int64(33_500_000), Int64(34)),
    (MovieTimeline.TimeBase(numerator: 1001, denominator: 30_000), Int64(1_001_000_000), Int64(30)),
    (
      MovieTimeline.TimeBase(numerator: 1, denominator: 90_000), Int64(36_000_000_000_000_000),
      Int64(3_240_000_000_000)
    ),
  ])
  func roundsToTheContainersTicks(
    base: MovieTimeline.TimeBase, nanoseconds: Int64, ticks: Int64
  ) {
    #expect(base.ticks(ofNanoseconds: nanoseconds) == ticks)
    let back = base.duration(ofTicks: ticks) - .nanoseconds(nanoseconds)
    #expect(abs(back / .nanoseconds(1)) <= 1_000_000)
  }

  @Test func placesAviFramesInTheirSlots() {
    let base = MovieTimeline.TimeBase(numerator: 1, denominator: 30)
    var timeline = MovieTimeline(timeBase: base, frameDuration: .thirtieth)

    let slots = [0, 35, 64, 101, 400].map {
      timeline.place(HostTime(nanoseconds: Int64($0) * 1_000_000))
    }

    #expect(slots == [0, 1, 2, 3, 12])
    #expect(timeline.tickCount == 13)
  }
}
