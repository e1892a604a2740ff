import CaptureKitLinux
import Testing

@testable import CaptureKitMocks

@Suite(.timeLimit(.minutes(1)))
struct FrameTimelineTests {
  private func at(_ milliseconds: Int64) -> HostTime {
    HostTime(nanoseconds: milliseconds * 1_000_000)
  }

  @Test
  func keepsTheOldestFramesAndLosesWhatDoesNotFit() {
    var timeline = FrameTimeline(start: at(0), duration: .milliseconds(10), limit: 4)
    var script = MockScript([])

    let (first, lost) = timeline.take(now: at(100), script: &script)
    let rest = (0..<4).map { _ in timeline.take(now: at(100), script: &script).frame?.sequence }
    let fresh = timeline.take(now: at(110), script: &script)

    #expect(first?.sequence == 0)
    #expect(lost == 6)
    #expect(rest == [1, 2, 3, nil])
    #expect(fresh.frame == FrameTimeline.Due(sequence: 10, time: at(110)))
  }

  @Test
  func takesNoLessThanAMillisecondPerFrame() {
    var timeline = FrameTimeline(start: at(0), duration: .zero, limit: 4)
    var script = MockScript([])
    #expect(timeline.take(now: at(1), script: &script).frame?.sequence == 0)
    #expect(timeline.take(now: at(1), script: &script).frame == nil)
  }
}
