import LinuxSystem
import Testing

@testable import Video4Linux

/// When nodes are looked at again; times in milliseconds.
@Suite(.timeLimit(.minutes(1)))
struct NodeChangesTests {
  private final class Past {
    var changes = NodeChanges()
    var reports: [UInt64] = []
    var tries: [UInt64] = []
  }

  private let past = Past()

  private func nanoseconds(_ milliseconds: UInt64) -> UInt64 { milliseconds * 1_000_000 }

  /// Lets time pass until a moment: tries what is due, and notes reports.
  private func pass(
    until end: UInt64, _ readiness: (String, UInt64) -> NodeChanges.Readiness = { _, _ in .ready }
  ) {
    var now: UInt64? = past.changes.deadline
    while let time = now, time <= nanoseconds(end) {
      for name in past.changes.trialsDue(at: time) {
        past.tries.append(time / 1_000_000)
        past.changes.tried(name, readiness(name, time / 1_000_000), at: time)
      }
      if past.changes.takeReport(at: time) { past.reports.append(time / 1_000_000) }
      now = past.changes.deadline
    }
  }

  private func notice(_ names: String..., at time: UInt64) {
    pass(until: time)
    past.changes.notice(DirectoryChanges(Set(names)), at: nanoseconds(time))
  }

  @Test func waitsForNothingWhenNothingHappens() {
    #expect(past.changes.deadline == nil)
    let isReported = past.changes.takeReport(at: .max)
    #expect(!isReported)
  }

  @Test func ignoresOtherNodes() {
    notice("null", "media0", "video", "videodev", "v4l", "video-1", at: 0)
    #expect(past.changes.deadline == nil)
  }

  @Test func makesOneReportOfABurst() {
    for (time, name) in [(0, "video0"), (5, "video1"), (20, "video0"), (40, "video1")] {
      notice(name, at: UInt64(time))
    }
    pass(until: 1000)
    #expect(past.reports == [70])
  }

  @Test func doesNotWaitForTheEndOfAnEndlessBurst() {
    for time in stride(from: 0, through: 600, by: 20) { notice("video0", at: UInt64(time)) }
    #expect(past.reports == [250, 510])
  }

  @Test func triesANewNodeUntilItCanBeOpened() {
    notice("video0", at: 0)
    pass(until: 1000) { _, time in time < 100 ? .notYet : .ready }
    #expect(past.tries == [0, 10, 30, 70, 150])
    #expect(past.reports == [180])
  }

  @Test func doesNotTryForEver() {
    notice("video0", at: 0)
    pass(until: 60_000) { _, _ in .notYet }
    #expect(past.tries.count < 12)
    #expect(past.reports.count == 1 && past.changes.deadline == nil)
  }

  @Test func reportsWhatIsGone() {
    notice("video0", at: 0)
    pass(until: 100) { _, _ in .gone }
    #expect(past.reports == [30])
  }

  @Test func doesNotWaitForOneNodeToReportAnother() {
    notice("video0", "video2", at: 0)
    pass(until: 60_000) { name, time in name == "video2" && time < 300 ? .notYet : .ready }
    #expect(past.reports.count == 2 && past.reports.first == 30)
  }

  @Test func reportsWhatItCouldNotFollow() {
    past.changes.notice(DirectoryChanges(isIncomplete: true), at: 0)
    pass(until: 100)
    #expect(past.reports == [30])
  }

  @Test func isBounded() {
    past.changes.notice(DirectoryChanges(Set((0..<100_000).map { "video\($0)" })), at: 0)
    #expect(past.changes.trialsDue(at: 0).count == NodeChanges.limit)
  }
}
