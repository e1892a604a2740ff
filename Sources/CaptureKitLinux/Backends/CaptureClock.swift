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
}

/// Work that a clock will run; it can be called off.
public struct ScheduledWork: Sendable {
  private let onCancel: @Sendable () -> Void

  /// Wraps what calling off means to the clock.
  public init(onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = onCancel
  }

  /// Calls the work off; does nothing once it runs.
  public func cancel() {
    onCancel()
  }
}
