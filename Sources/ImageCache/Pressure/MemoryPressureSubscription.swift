import Synchronization

/// Keeps a handler of memory pressure being called; ends it when the last reference goes.
public final class MemoryPressureSubscription: Sendable {
  private let onCancel: Mutex<(@Sendable () -> Void)?>

  /// - Parameter onCancel: Ends the subscription at its source; called once.
  public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = Mutex(onCancel) }

  deinit { cancel() }

  /// Ends the subscription, once; a call that has begun runs to its end. From any thread, the
  /// handler's too.
  public func cancel() {
    let onCancel = onCancel.withLock { onCancel in
      defer { onCancel = nil }
      return onCancel
    }
    onCancel?()
  }
}
