extension Duration {
  /// Nanoseconds, rounded towards zero, kept within `Int64`.
  package var wholeNanoseconds: Int64 {
    // First, since even the seconds may be more than 64 bits hold.
    guard self < .nanoseconds(Int64.max) else { return .max }
    guard self > .nanoseconds(Int64.min) else { return .min }
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
