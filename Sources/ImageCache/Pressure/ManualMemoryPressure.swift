/// Memory pressure that an app reports itself, and tests.
///
/// ```swift
/// let pressure = ManualMemoryPressure()
/// pressure.send(.flush)
/// ```
public final class ManualMemoryPressure: MemoryPressureSource {
  private let handlers = PressureHandlers()

  /// Makes a source that has not said anything.
  public init() {}

  /// Tells all who have subscribed, on the calling thread, and returns when they are done.
  ///
  /// - Parameter level: How short memory is.
  public func send(_ level: MemoryPressureLevel) { handlers.tell(level) }

  /// Asks to be told; see ``MemoryPressureSource``.
  ///
  /// - Parameter handler: Called on the thread that sends.
  /// - Returns: What keeps the handler being called.
  public func subscribe(
    _ handler: @escaping @Sendable (MemoryPressureLevel) -> Void
  ) -> MemoryPressureSubscription {
    let number = handlers.add(handler)
    return MemoryPressureSubscription { [weak handlers] in handlers?.remove(number) }
  }
}
