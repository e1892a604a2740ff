import Synchronization

/// Wakes the camera's thread when nothing has come for too long.
///
/// Frames only leave word that they came. When its moment comes the alarm moves on to the limit
/// after the last of them, on the clock's thread: a camera that sends frames is never woken by it.
final class StallAlarm: Sendable {
  let limit: Duration
  private let clock: any CaptureClock
  private let ring: @Sendable () -> Void
  private let lastSign: Atomic<Int64>
  private let rung = Atomic(false)
  private let state = Mutex(State())

  private struct State {
    var work: ScheduledWork?
    var isCancelled = false
  }

  /// - Parameters:
  ///   - limit: How long nothing may come.
  ///   - sign: When something came last.
  ///   - clock: The clock that it waits on.
  ///   - ring: Called once, on the clock's thread.
  init(
    limit: Duration, since sign: HostTime, clock: any CaptureClock,
    ring: @escaping @Sendable () -> Void
  ) {
    self.limit = limit
    self.clock = clock
    self.ring = ring
    lastSign = Atomic(sign.nanoseconds)
    arm()
  }

  /// Whether it has rung; it does not ring again.
  var hasRung: Bool { rung.load(ordering: .acquiring) }

  func note(signAt time: HostTime) {
    lastSign.store(time.nanoseconds, ordering: .releasing)
  }

  func isOverdue(at now: HostTime) -> Bool { now >= due }

  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      defer { state.work = nil }
      return state.work
    }?.cancel()
  }

  private var due: HostTime {
    HostTime(nanoseconds: lastSign.load(ordering: .acquiring)).advanced(by: limit)
  }

  private func arm() {
    let work = clock.scheduleAlarm(at: due) { [weak self] in self?.look() }
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.work = work }
      return state.isCancelled
    }
    if isCancelled { work.cancel() }
  }

  private func look() {
    guard isOverdue(at: clock.now) else { return arm() }
    rung.store(true, ordering: .releasing)
    ring()
  }
}
