import Synchronization

/// The memory for what clients send, of which there is only so much.
final class BodyMemory: Sendable {
  private let limit: Int
  private let used = Mutex(0)

  init(limit: Int) { self.limit = limit }

  /// - Returns: Whether there was enough left.
  func take(_ count: Int) -> Bool {
    used.withLock { used in
      guard count <= limit - used else { return false }
      used += count
      return true
    }
  }

  func giveBack(_ count: Int) { used.withLock { $0 -= count } }
}
