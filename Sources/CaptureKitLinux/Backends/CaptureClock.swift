/// The clock that capture reads and waits on; a manual one makes tests exact.
public protocol CaptureClock: Sendable {
  /// This moment.
  var now: HostTime { get }

  /// Runs work at a moment, on a thread of the clock's; at once where the moment has passed.
  ///
  /// - Parameters:
  ///   - time: The moment.
  ///   - work: What to run, once; it must not block.
  /// - Returns: A handle that can call the work off.
  func schedule(at time: HostTime, _ work: @escaping @Sendable () -> Void) -> ScheduledWork

  /// Runs work at a moment that is not expected to come, as ``schedule(at:_:)`` does.
  ///
  /// A clock of a test that waits until somebody waits for it does not count this work; by default
  /// it is work like any other.
  ///
  /// - Parameters:
  ///   - time: The moment.
  ///   - work: What to run, once; it must not block.
  /// - Returns: A handle that can call the work off.
  func scheduleAlarm(at time: HostTime, _ work: @escaping @Sendable () -> Void) -> ScheduledWork
}

extension CaptureClock {
  /// Schedules the work as any other.
  public func scheduleAlarm(
    at time: HostTime, _ work: @escaping @Sendable () -> Void
  ) -> ScheduledWork {
    schedule(at: time, work)
  }
}
