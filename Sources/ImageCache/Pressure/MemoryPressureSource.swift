/// Something that says when memory becomes short.
///
/// ``SystemMemoryPressure`` asks the kernel. An app that knows more, from its desktop, a
/// container's manager or its own bookkeeping, can use ``ManualMemoryPressure`` or write another
/// source.
public protocol MemoryPressureSource: Sendable {
  /// Asks to be told.
  ///
  /// - Parameter handler: Called each time, on a thread of the source's.
  /// - Returns: What keeps the handler being called: no call begins after it has been cancelled or
  ///   released.
  func subscribe(
    _ handler: @escaping @Sendable (MemoryPressureLevel) -> Void
  ) -> MemoryPressureSubscription
}
