/// Which items of a list have changed, by their keys.
public struct ItemChanges: Hashable, Sendable {
  /// Items that came.
  public internal(set) var inserted: Set<String> = []
  /// Items that have other values.
  public internal(set) var updated: Set<String> = []
  /// Items that went.
  public internal(set) var removed: Set<String> = []
  /// Items that stand elsewhere among the others.
  public internal(set) var moved: Set<String> = []
  /// Items that this store and somebody else had changed in different ways.
  public internal(set) var conflicts: [ItemConflict] = []

  /// Whether nothing has changed.
  public var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && removed.isEmpty && moved.isEmpty && conflicts.isEmpty
  }

  /// What has to be done to `old` to make `new` of it.
  init(from old: [Item], to new: [Item]) {
    guard old != new else { return }
    let before = Dictionary(
      old.lazy.map { ($0.itemKey, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Set(new.lazy.map(\.itemKey))
    removed = Set(before.keys.lazy.filter { !after.contains($0) })
    for item in new {
      if let earlier = before[item.itemKey] {
        if earlier != item { updated.insert(item.itemKey) }
      } else {
        inserted.insert(item.itemKey)
      }
    }
    moved = Self.moved(
      from: old.map(\.itemKey).filter { after.contains($0) },
      to: new.map(\.itemKey).filter { before[$0] != nil })
  }

  init() {}

  /// The fewest keys that have to move: all that are not in the longest run that stays in order.
  private static func moved(from old: [String], to new: [String]) -> Set<String> {
    guard old != new else { return [] }
    let places = Dictionary(zip(old, old.indices), uniquingKeysWith: { first, _ in first })
    // ends[n]: where the run of n + 1 keys ends that ends earliest; previous: the run's chain.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: new.count)
    let order = new.map { places[$0] ?? 0 }
    for index in new.indices {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if order[ends[middle]] < order[index] { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var moved = Set(new)
    var next = ends.last
    while let index = next {
      moved.remove(new[index])
      next = previous[index]
    }
    return moved
  }

  /// Adds what happened after these changes, so that both together are one step.
  mutating func add(_ later: ItemChanges) {
    for key in later.removed {
      let wasNew = inserted.remove(key) != nil
      updated.remove(key)
      moved.remove(key)
      if !wasNew { removed.insert(key) }
    }
    for key in later.inserted {
      if removed.remove(key) != nil {
        // Gone and back: it may have other values and stand elsewhere.
        updated.insert(key)
        moved.insert(key)
      } else {
        inserted.insert(key)
      }
    }
    updated.formUnion(later.updated.subtracting(inserted))
    moved.formUnion(later.moved.subtracting(inserted))
    // Of an item that is gone nothing is left to decide: so there are never more than items.
    conflicts.removeAll { later.removed.contains($0.copyKey ?? $0.key) }
    let told = Set(conflicts)
    conflicts += later.conflicts.filter { !told.contains($0) }
  }
}
