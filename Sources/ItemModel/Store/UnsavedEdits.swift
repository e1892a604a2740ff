/// What was done to a list since it was last read or saved.
///
/// As long as items only get other values or come to the end, it grows with the edits and not with
/// the list; whoever inserts, moves or removes pays for a copy of it once.
struct UnsavedEdits: Sendable {
  /// The list as it was, once its order has changed.
  private var snapshot: [Item]?
  /// The old ones of items that have changed where they stand.
  private var originals: [Int: Item] = [:]
  /// How many have come to the end.
  private var appended = 0

  /// No edits.
  init() {}

  /// What has made a list of `items`, whatever that was.
  init(from items: [Item]) { snapshot = items }

  /// Whether the list is what it was.
  func isEmpty(in items: [Item]) -> Bool {
    snapshot.map { $0 == items } ?? (originals.isEmpty && appended == 0)
  }

  /// The list as it was.
  func base(of items: [Item]) -> [Item] {
    if let snapshot { return snapshot }
    guard appended > 0 || !originals.isEmpty else { return items }
    var base = Array(items.dropLast(appended))
    for (index, item) in originals { base[index] = item }
    return base
  }

  // MARK: - Noting

  mutating func willReplace(at index: Int, of items: [Item], with new: Item) {
    guard snapshot == nil, index < items.count - appended else { return }
    if let original = originals[index] {
      if original == new { originals[index] = nil }
    } else if items[index] != new {
      originals[index] = items[index]
    }
  }

  mutating func didAppend() { if snapshot == nil { appended += 1 } }

  mutating func willRearrange(_ items: [Item]) {
    guard snapshot == nil else { return }
    snapshot = base(of: items)
    originals = [:]
    appended = 0
  }

  /// Puts edits before these: a save of them has failed.
  mutating func join(_ earlier: UnsavedEdits, in items: [Item]) {
    if earlier.snapshot != nil {
      self = earlier
    } else if let between = snapshot {
      snapshot = earlier.base(of: between)
    } else {
      let count = items.count - appended - earlier.appended
      originals = originals.filter { $0.key < count }
      originals.merge(earlier.originals) { _, earlier in earlier }
      appended += earlier.appended
    }
  }

  // MARK: - Edits

  /// What makes `items` of the list as it was.
  func edits(to items: [Item]) -> ItemEdits {
    var edits = ItemEdits()
    guard let snapshot else {
      edits.updated = originals.keys.sorted().map { items[$0] }
      for index in items.indices.suffix(appended) {
        edits.placed.append(placed(items, at: index, isNew: true))
      }
      return edits
    }
    let changes = ItemChanges(from: snapshot, to: items)
    edits.removed = Array(changes.removed)
    for (index, item) in items.enumerated() {
      let isNew = changes.inserted.contains(item.itemKey)
      if isNew || changes.moved.contains(item.itemKey) {
        edits.placed.append(placed(items, at: index, isNew: isNew))
      } else if changes.updated.contains(item.itemKey) {
        edits.updated.append(item)
      }
    }
    return edits
  }

  private func placed(_ items: [Item], at index: Int, isNew: Bool) -> ItemEdits.Placed {
    ItemEdits.Placed(
      item: items[index], predecessor: index > 0 ? items[index - 1].itemKey : nil, isNew: isNew)
  }
}
