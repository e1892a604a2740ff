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
