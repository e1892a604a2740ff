/// What makes one list of another; pages do the same to theirs.
///
/// In this order: what is removed goes, what is placed goes too and is put where it stands in the
/// end, the ones with low places first; what is updated gets other values. Where that would not make the
/// new order, the order is told whole.
struct ListChange: Hashable, Sendable, Codable {
  /// An item, and where it stands afterwards.
  struct Place: Hashable, Sendable, Codable {
    let index: Int
    let item: ItemRow
  }

  var removed: [String] = []
  var placed: [Place] = []
  var updated: [ItemRow] = []
  /// All keys; nil where the rest says it.
  var order: [String]?
  /// How many items somebody else had changed in another way, and of which both are kept.
  var conflicts: Int?

  /// - Returns: nil where both are the same.
  init?(from old: [ItemRow], to new: [ItemRow]) {
    guard old != new else { return nil }
    if old.count == new.count, zip(old, new).allSatisfy({ $0.key == $1.key }) {
      updated = zip(old, new).filter { $0 != $1 }.map(\.1)
      return
    }
    let before = Dictionary(old.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Set(new.lazy.map(\.key))
    removed = old.lazy.map(\.key).filter { !after.contains($0) }
    let moved = Self.moved(
      from: old.lazy.map(\.key).filter { after.contains($0) },
      to: new.lazy.map(\.key).filter { before[$0] != nil })
    if moved == nil { order = new.map(\.key) }
    for (index, item) in new.enumerated() {
      if before[item.key] == nil || moved?.contains(item.key) == true {
        placed.append(Place(index: index, item: item))
      } else if before[item.key] != item {
        updated.append(item)
      }
    }
  }

  /// The one item that has moved, or none; nil for more.
  private static func moved(from old: [String], to new: [String]) -> Set<String>? {
    guard let first = old.indices.first(where: { old[$0] != new[$0] }),
      let last = old.indices.last(where: { old[$0] != new[$0] })
    else { return [] }
    if old[first] == new[last], old[(first + 1)...last] == new[first..<last] {
      return [old[first]]
    }
    if old[last] == new[first], old[first..<last] == new[(first + 1)...last] {
      return [old[last]]
    }
    return nil
  }
}
