import Synchronization

/// Knows which pictures were deleted lately, so that no read returns one that was deleted
/// meanwhile.
final class RecentDeletions: Sendable {
  private struct State {
    /// Of all time.
    var count = 0
    /// The last ones, in a ring: the one after `count` of them is at `count` modulo the size.
    var names = [String](repeating: "", count: RecentDeletions.keptCount)
  }

  private static let keptCount = 256
  private let state = Mutex(State())

  /// How many there were until now.
  var count: Int { state.withLock { $0.count } }

  /// Whether a picture was deleted after the first `count` deletions. It may say so of one that was
  /// not, where there were many.
  func contain(_ name: String, since count: Int) -> Bool {
    state.withLock { state in
      guard state.count != count else { return false }
      guard state.count - count <= Self.keptCount else { return true }
      return (count..<state.count).contains { state.names[$0 % Self.keptCount] == name }
    }
  }

  /// A picture is gone.
  func note(_ name: String) {
    state.withLock { state in
      state.names[state.count % Self.keptCount] = name
      state.count += 1
    }
  }

  /// All pictures are gone.
  func noteAll() { state.withLock { $0.count += Self.keptCount + 1 } }
}
