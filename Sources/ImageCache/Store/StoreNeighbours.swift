import Synchronization

/// All stores of this process, by their folders: what one of them changes, the others know at once.
final class StoreNeighbours: Sendable {
  static let shared = StoreNeighbours()

  private struct Neighbour: Sendable {
    weak let tiers: StoreTiers?
  }

  private let folders = Mutex<[String: [Neighbour]]>([:])

  func add(_ tiers: StoreTiers) {
    folders.withLock { $0[tiers.disk.identity, default: []].append(Neighbour(tiers: tiers)) }
  }

  func remove(_ tiers: StoreTiers) {
    folders.withLock { folders in
      folders[tiers.disk.identity]?.removeAll { $0.tiers === tiers || $0.tiers == nil }
      if folders[tiers.disk.identity]?.isEmpty == true { folders[tiers.disk.identity] = nil }
    }
  }

  /// A picture has been changed, or deleted, by one of them; nil: all have.
  func tell(_ teller: StoreTiers, of key: String?, isGone: Bool = false) {
    let others = folders.withLock { $0[teller.disk.identity] ?? [] }
    for other in others where other.tiers !== teller { other.tiers?.hear(of: key, isGone: isGone) }
  }
}
