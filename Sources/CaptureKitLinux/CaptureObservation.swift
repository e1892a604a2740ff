import Synchronization

/// A running observation, which ends with this object; Apple's `NSKeyValueObservation`.
///
/// Keep it for as long as you want to be told.
public final class CaptureObservation: Sendable {
  private let end: Mutex<(@Sendable () -> Void)?>

  /// Wraps what ending means to a source of changes of your own.
  ///
  /// - Parameter onInvalidate: Ends the observation; called once.
  public init(onInvalidate: @escaping @Sendable () -> Void) {
    end = Mutex(onInvalidate)
  }

  deinit { invalidate() }

  /// Ends the observation now; a call of the handler that is under way on another thread goes on.
  public func invalidate() {
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }
}
