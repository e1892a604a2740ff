import CaptureKitLinux
import CaptureKitMocks
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ManualClockTests {
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private let clock = ManualClock(now: HostTime(nanoseconds: 0))
  private let log = Log()

  private func at(_ milliseconds: Int) -> HostTime {
    HostTime(nanoseconds: Int64(milliseconds) * 1_000_000)
  }

  private func write(_ name: String) -> @Sendable () -> Void {
    { [clock, log] in log.add("\(name) \(clock.now.nanoseconds / 1_000_000)") }
  }

  @Test
  func standsStillUntilItIsMoved() {
    #expect(clock.now == clock.now)
    clock.advance(by: .milliseconds(1500))
    #expect(clock.now == at(1500))
    clock.advance(by: .milliseconds(-1))
    #expect(clock.now == at(1500))
  }

  @Test
  func runsWorkInOrderOfTimeThenOfScheduling() {
    for (time, name) in [(30, "c"), (10, "a"), (30, "d"), (20, "b"), (31, "late")] {
      _ = clock.schedule(at: at(time), write(name))
    }

    clock.advance(by: .milliseconds(30))

    #expect(log.all == ["a 10", "b 20", "c 30", "d 30"])
    #expect(clock.now == at(30))
    #expect(clock.scheduledCount == 1)
  }

  @Test
  func runsWorkThatWorkSchedules() {
    _ = clock.schedule(at: at(10)) { [clock, write = write("second")] in
      _ = clock.schedule(at: clock.now.advanced(by: .milliseconds(5)), write)
    }
    clock.advance(by: .milliseconds(20))
    #expect(log.all == ["second 15"])
    #expect(clock.now == at(20))
  }

  @Test
  func runsPastWorkAtOnce() {
    clock.advance(by: .milliseconds(5))
    _ = clock.schedule(at: at(5), write("now"))
    #expect(log.all == ["now 5"])
  }

  @Test
  func callsWorkOff() {
    let work = clock.schedule(at: at(10), write("never"))
    work.cancel()
    work.cancel()
    clock.advance(by: .seconds(1))
    #expect(log.all.isEmpty)
    #expect(clock.scheduledCount == 0)
  }

  @Test
  func tellsWhenSomebodyWaits() async {
    let log = log
    let waiter = Task { [clock] in
      await clock.waitForWork(count: 2)
      log.add("there")
    }
    _ = clock.schedule(at: at(1), {})
    #expect(log.all.isEmpty)
    _ = clock.schedule(at: at(2), {})
    await waiter.value
    await clock.waitForWork(count: 2)
    #expect(log.all == ["there"])
  }

  @Test
  func stopsWaitingWhenItsTaskIsCancelled() async {
    let waiter = Task { [clock] in await clock.waitForWork() }
    waiter.cancel()
    await waiter.value
    let early = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      await clock.waitForWork()
    }
    await early.value
    #expect(clock.scheduledCount == 0)
  }
}
