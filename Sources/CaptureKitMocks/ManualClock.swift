public import CaptureKitLinux
import Synchronization

/// A clock that stands still until a test moves it.
///
/// Give it to a ``MockBackend`` and, for deadlines, to the capture environment; then a test of an hour
/// takes a moment, and runs the same every time.
///
/// ```swift
/// let clock = ManualClock()
/// let backend = MockBackend(cameras: [camera], clock: clock)
/// // … start a session …
/// clock.advance(by: .seconds(1))  // thirty frames of a camera with 30 frames per second
/// ```
public final class ManualClock: CaptureClock {
  private struct Work {
    let id: UInt64
    let time: HostTime
    let isAlarm: Bool
    let run: @Sendable () -> Void
  }

  private struct State {
    var now: HostTime
    var lastID: UInt64 = 0
    var work: [Work] = []
    var waiters: [Waiter] = []
    var cancelledWaiters: Set<UInt64> = []

    mutating func makeID() -> UInt64 {
      lastID += 1
      return lastID
    }

    /// Work that somebody waits for; alarms nobody does.
    var awaitedCount: Int { work.count { !$0.isAlarm } }

    /// Takes those who wait for no more work than there is.
    mutating func takeWaiters() -> [Waiter] {
      let count = awaitedCount
      let ready = waiters.filter { $0.count <= count }
      waiters.removeAll { $0.count <= count }
      return ready
    }
  }

  private struct Waiter {
    let id: UInt64
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private let state: Mutex<State>

  /// A clock that shows a moment, by default one second.
  public init(now: HostTime = HostTime(nanoseconds: 1_000_000_000)) {
    state = Mutex(State(now: now))
  }

  /// The moment that the clock was moved to.
  public var now: HostTime { state.withLock { $0.now } }

  /// How much work waits for its moment, alarms left out.
  public var scheduledCount: Int { state.withLock { $0.awaitedCount } }

  /// Waits until somebody waits for the clock: a camera's thread for its next frame, a photo for its
  /// deadline.
  ///
  /// So a test knows that the other thread has come to its waiting before it moves the clock:
  ///
  /// ```swift
  /// await clock.waitForWork()
  /// clock.advance(by: .seconds(1))
  /// ```
  ///
  /// - Parameter count: How much work has to wait; it returns at once where that much does.
  /// - Note: Where the task is cancelled it returns early.
  public func waitForWork(count: Int = 1) async {
    let id = state.withLock { $0.makeID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.awaitedCount >= count || state.cancelledWaiters.remove(id) != nil { return true }
          state.waiters.append(Waiter(id: id, count: count, continuation: continuation))
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
          state.cancelledWaiters.insert(id)
          return nil
        }
        return state.waiters.remove(at: index)
      }
      waiter?.continuation.resume()
    }
    state.withLock { _ = $0.cancelledWaiters.remove(id) }
  }

  /// Keeps work until ``advance(by:)`` reaches its moment; where it has passed, runs it before
  /// returning.
  public func schedule(
    at time: HostTime, _ work: @escaping @Sendable () -> Void
  ) -> ScheduledWork {
    keep(work, until: time, isAlarm: false)
  }

  /// Keeps work that nobody waits for, such as that of a watchdog: ``waitForWork(count:)`` does not count it.
  public func scheduleAlarm(
    at time: HostTime, _ work: @escaping @Sendable () -> Void
  ) -> ScheduledWork {
    keep(work, until: time, isAlarm: true)
  }

  private func keep(
    _ work: @escaping @Sendable () -> Void, until time: HostTime, isAlarm: Bool
  ) -> ScheduledWork {
    let (id, waiters) = state.withLock { state -> (UInt64?, [Waiter]) in
      guard time > state.now else { return (nil, []) }
      let id = state.makeID()
      state.work.append(Work(id: id, time: time, isAlarm: isAlarm, run: work))
      return (id, state.takeWaiters())
    }
    guard let id else {
      work()
      return ScheduledWork {}
    }
    for waiter in waiters { waiter.continuation.resume() }
    return ScheduledWork { [weak self] in
      self?.state.withLock { $0.work.removeAll { $0.id == id } }
    }
  }

  /// Moves the clock, and runs what falls due on the way: in order of time, and of scheduling where
  /// that is the same, on this thread, each with the clock at its moment.
  ///
  /// Frames that fall due are there when it returns; the threads that wait for them have been woken,
  /// but need not have run yet.
  ///
  /// - Parameter duration: How far; nothing happens where it is negative.
  public func advance(by duration: Duration) {
    let end = now.advanced(by: max(.zero, duration))
    while let work = takeWork(until: end) { work() }
  }

  private func takeWork(until end: HostTime) -> (@Sendable () -> Void)? {
    state.withLock { state in
      let due = state.work.indices.min {
        (state.work[$0].time, state.work[$0].id) < (state.work[$1].time, state.work[$1].id)
      }
      guard let due, state.work[due].time <= end else {
        state.now = max(state.now, end)
        return nil
      }
      let work = state.work.remove(at: due)
      state.now = max(state.now, work.time)
      return work.run
    }
  }
}
