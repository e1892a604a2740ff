import Dispatch
import Synchronization

/// Something that is made when it is first asked for, once for all who ask.
final class MadeOnce<Value: Sendable>: Sendable {
  private enum Progress: Sendable {
    case notBegun
    case underway
    case done(Value)
  }

  private let progress = Mutex(Progress.notBegun)
  private let work = DispatchGroup()

  /// The value; whoever asks while another thread makes it waits for that thread.
  ///
  /// - Parameter make: Makes it; called where nobody has asked before.
  /// - Returns: The value.
  func value(_ make: () -> Value) -> Value {
    let found = progress.withLock { progress in
      let found = progress
      if case .notBegun = found {
        work.enter()
        progress = .underway
      }
      return found
    }
    switch found {
    case .done(let value): return value
    case .underway:
      work.wait()
      return value(make)
    case .notBegun:
      let value = make()
      progress.withLock { $0 = .done(value) }
      work.leave()
      return value
    }
  }
}
