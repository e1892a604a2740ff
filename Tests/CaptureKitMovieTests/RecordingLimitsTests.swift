import Testing

@testable import CaptureKitMovie

@Suite(.timeLimit(.minutes(1)))
struct RecordingLimitsTests {
  @Test func hasNoneUntilSet() {
    let limits = RecordingLimits()

    #expect(
      limits.broken(
        byEndAt: .seconds(1 << 40), frameCount: .max, byteCount: 1 << 60,
        frameByteCount: 1 << 30) == nil)
    #expect(limits.leaves(0))
  }

  @Test(arguments: [(999, nil), (1000, nil), (1001, MovieError.Code.maximumDurationReached)])
  func letsAMovieBeAsLongAsItMay(milliseconds: Int, code: MovieError.Code?) {
    let limits = RecordingLimits(duration: .seconds(1))

    #expect(
      limits.broken(
        byEndAt: .milliseconds(milliseconds), frameCount: 1, byteCount: 0, frameByteCount: 0)
        == code)
  }

  @Test func leavesRoomForTheIndexAndTheEnd() {
    let limits = RecordingLimits(byteCount: 100_000)
    func broken(_ frameCount: UInt64, _ byteCount: Int64) -> MovieError.Code? {
      limits.broken(
        byEndAt: .zero, frameCount: frameCount, byteCount: byteCount, frameByteCount: 1000)
    }

    #expect(broken(0, 90_000) == nil)
    #expect(broken(0, 99_000) == .maximumFileSizeReached)
    #expect(broken(1000, 90_000) == .maximumFileSizeReached)
  }

  @Test func leavesTheDiskItsRoom() {
    let limits = RecordingLimits(freeByteCount: 1000)

    #expect(limits.leaves(1000))
    #expect(!limits.leaves(999))
  }
}
