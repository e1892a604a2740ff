import Synchronization

/// The long keys that were used lately: when such a picture is gone, nothing else says which key
/// it had.
final class LongKeys: Sendable {
  private struct State {
    var keys: [String: String] = [:]
    var byteCount = 0
  }

  private static let maximumByteCount = 1 << 20
  private let state = Mutex(State())

  func remember(_ key: String, name: String) {
    state.withLock { state in
      guard state.keys[name] == nil else { return }
      // Forgotten all at once: who asks in vain takes every picture for changed, which is safe.
      if state.byteCount > Self.maximumByteCount { state = State() }
      state.keys[name] = key
      state.byteCount += key.utf8.count
    }
  }

  func key(of name: String) -> String? { state.withLock { $0.keys[name] } }
}
