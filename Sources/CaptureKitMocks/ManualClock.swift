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
    let run: @Sendable () -> Void
  }

  private struct State {
    var now: HostTime
    var lastID: UInt64 = 0
    var work: [Work] = []
  }

  private let state: Mutex<State>

  /// A clock that shows a moment, by default one second.
  public init(now: HostTime = HostTime(nanoseconds: 1_000_000_000)) {
    state = Mutex(State(now: now))
  }

  /// The moment that the clock was moved to.
  public var now: HostTime { state.withLock { $0.now } }

  /// How much work waits for its moment.
  public var scheduledCount: Int { state.withLock { $0.work.count } }

  /// Keeps work until ``advance(by:)`` reaches its moment; where it has passed, runs it before
  /// returning.
  public func schedule(
    at time: HostTime, _ work: @escaping @Sendable () -> Void
  ) -> ScheduledWork {
    let id = state.withLock { state -> UInt64? in
      guard time > state.now else { return nil }
      state.lastID += 1
      state.work.append(Work(id: state.lastID, time: time, run: work))
      return state.lastID
    }
    guard let id else {
      work()
      return ScheduledWork {}
    }
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
