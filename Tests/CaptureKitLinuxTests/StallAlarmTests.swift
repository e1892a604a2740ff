import CaptureKitMocks
import Synchronization
import Testing

@testable import CaptureKitLinux

struct StallAlarmTests {
  private let clock = ManualClock()
  private let rings = Rings()

  @Test func ringsWhenNothingHasComeForItsLimit() {
    let alarm = makeAlarm()
    clock.advance(by: .milliseconds(1_999))
    #expect(rings.count == 0)
    #expect(!alarm.isOverdue(at: clock.now))
    clock.advance(by: .milliseconds(1))
    #expect(rings.count == 1)
    #expect(alarm.hasRung)
    #expect(alarm.isOverdue(at: clock.now))
  }

  @Test func wakesNobodyWhileFramesCome() {
    let alarm = makeAlarm()
    for _ in 0..<300 {
      clock.advance(by: .milliseconds(40))
      alarm.note(signAt: clock.now)
    }
    #expect(rings.count == 0)
    clock.advance(by: .milliseconds(1_999))
    #expect(rings.count == 0)
    clock.advance(by: .milliseconds(1))
    #expect(rings.count == 1)
  }

  @Test func ringsOnce() {
    let alarm = makeAlarm()
    clock.advance(by: .seconds(60))
    #expect(rings.count == 1)
    alarm.note(signAt: clock.now)
    clock.advance(by: .seconds(60))
    #expect(rings.count == 1)
  }

  @Test func isSilentOnceCancelled() {
    let alarm = makeAlarm()
    clock.advance(by: .seconds(1))
    alarm.note(signAt: clock.now)
    // It has moved on by now.
    clock.advance(by: .milliseconds(1_500))
    alarm.cancel()
    clock.advance(by: .seconds(60))
    #expect(rings.count == 0)
  }

  private func makeAlarm() -> StallAlarm {
    StallAlarm(limit: .seconds(2), since: clock.now, clock: clock) { [rings] in rings.add() }
  }

  private final class Rings: Sendable {
    private let number = Atomic(0)
    var count: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
  }
}
