/// Repeats `body` for as long as a signal interrupts it: the only such loop of the package.
///
/// A profiler's timer or a child's exit reaches any thread, and must not end a recording or
/// leave half a file. What waits until a deadline computes the remaining time within `body`.
///
/// `close(2)` must never be repeated: Linux has freed the descriptor even when it says `EINTR`.
@discardableResult
package func withoutInterrupts<Result: ~Copyable>(
  _ body: () throws(Errno) -> Result
) throws(Errno) -> Result {
  while true {
    do {
      return try body()
    } catch {
      guard error == .interrupted else { throw error }
    }
  }
}

/// Makes a call of the C library that answers -1 and sets `errno` when it fails, repeats it
/// while a signal interrupts it, and throws what `errno` said.
@discardableResult
package func retryingInterrupts<Result: SignedInteger>(
  _ call: () -> Result
) throws(Errno) -> Result {
  try withoutInterrupts { () throws(Errno) in
    let result = call()
    guard result >= 0 else { throw Errno.current }
    return result
  }
}
