import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct BufferTimestampTests {
  @Test(
    arguments: [
      (0x2000, .monotonic, .endOfFrame), (0x1_2000, .monotonic, .startOfExposure),
      (0x4000, .copy, .endOfFrame), (0x0000, .unknown, .endOfFrame),
      (0xe000, .unknown, .endOfFrame),
      (0x7_2040, .monotonic, .endOfFrame),
    ] as [(UInt32, BufferTimestamp.Clock, BufferTimestamp.Source)])
  func readsClockAndSource(
    flags: UInt32, clock: BufferTimestamp.Clock, source: BufferTimestamp.Source
  ) {
    let stamp = BufferTimestamp(seconds: 1, microseconds: 2, flags: BufferFlags(rawValue: flags))
    #expect(stamp.clock == clock)
    #expect(stamp.source == source)
    #expect(stamp.nanoseconds == 1_000_002_000)
  }

  @Test(
    arguments: [
      (0, 0), (-1, 0), (1, -1), (1, 1_000_000), (Int64.max, 0), (Int64.min, 0),
      (18_446_744_073, 999_999), (1, Int64.max),
    ] as [(Int64, Int64)])
  func takesAnImpossibleStampForNone(seconds: Int64, microseconds: Int64) {
    let stamp = BufferTimestamp(
      seconds: seconds, microseconds: microseconds, flags: BufferFlags(rawValue: 0x2000))
    #expect(stamp.nanoseconds == nil)
  }
}
