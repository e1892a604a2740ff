/// Something that says when memory becomes short.
///
/// ``SystemMemoryPressure`` asks the kernel. An app that knows more, from its desktop, a
/// container's manager or its own bookkeeping, can use ``ManualMemoryPressure`` or write another
/// source.
public protocol MemoryPressureSource: Sendable {
  /// Asks to be told.
  ///
  /// - Parameter handler: Called each time, on a thread of the source's.
  /// - Returns: What keeps the handler being called: after it has been cancelled or released, a
  ///   call that was under way may still come, and none after that.
  func subscribe(
    _ handler: @escaping @Sendable (MemoryPressureLevel) -> Void
  ) -> MemoryPressureSubscription
}
