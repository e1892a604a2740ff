import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct FrameSizesTests {
  private let range = FrameSizeRange(
    minimum: FrameSize(width: 32, height: 32), maximum: FrameSize(width: 2600, height: 1950),
    step: FrameSize(width: 16, height: 8))

  @Test(
    arguments: [
      (640, 480, 640, 480), (641, 483, 640, 480), (649, 485, 656, 488), (0, 0, 32, 32),
      (9999, 9999, 2592, 1944), (UInt32.max, 1, 2592, 32),
    ] as [(UInt32, UInt32, UInt32, UInt32)])
  func findsTheNearestSizeOnTheSteps(
    width: UInt32, height: UInt32, nearestWidth: UInt32, nearestHeight: UInt32
  ) {
    #expect(
      range.nearest(to: FrameSize(width: width, height: height))
        == FrameSize(width: nearestWidth, height: nearestHeight))
  }

  @Test func putsADriversRangeInOrder() {
    let range = FrameSizeRange(
      minimum: FrameSize(width: 1920, height: 16), maximum: FrameSize(width: 16, height: 1080),
      step: FrameSize(width: 0, height: 0))
    #expect(range.minimum == FrameSize(width: 16, height: 16))
    #expect(range.maximum == FrameSize(width: 1920, height: 1080))
    #expect(range.step == FrameSize(width: 1, height: 1))
  }

  @Test func endsOnTheLastStep() {
    #expect(range.last == FrameSize(width: 2592, height: 1944))
  }
}
