/// Brings two lists together that were made of the same one.
enum ItemMerge {
  /// - Parameters:
  ///   - base: The list that both began with.
  ///   - mine: What this store has made of it.
  ///   - theirs: What somebody else has made of it.
  /// - Returns: The list with the changes of both.
  static func merge(
    base: [Item], mine: [Item], theirs: [Item]
  ) -> (items: [Item], conflicts: [ItemConflict]) {
    if mine == base || mine == theirs { return (theirs, []) }
    if theirs == base { return (mine, []) }
    var merge = Pair(base: byKey(base), mine: byKey(mine), theirs: byKey(theirs))
    // Their order, unless only this store has moved something.
    let iMoved = !ItemChanges(from: base, to: mine).moved.isEmpty
    let theyMoved = !ItemChanges(from: base, to: theirs).moved.isEmpty
    return iMoved && !theyMoved
      ? (merge.items(inOrderOf: mine, then: theirs, isSaved: false), merge.conflicts)
      : (merge.items(inOrderOf: theirs, then: mine, isSaved: true), merge.conflicts)
  }

  private static func byKey(_ items: [Item]) -> [String: Item] {
    Dictionary(items.lazy.map { ($0.itemKey, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private struct Pair {
    let base: [String: Item]
    let mine: [String: Item]
    let theirs: [String: Item]
    var conflicts: [ItemConflict] = []

    /// Items that only `second` has follow the item that they follow there. Where both have added
    /// some at one place, those come first that are saved.
    mutating func items(
      inOrderOf first: [Item], then second: [Item], isSaved: Bool
    ) -> [Item] {
      let (order, common) = (Set(first.lazy.map(\.itemKey)), Set(second.lazy.map(\.itemKey)))
      var followers: [String?: [Item]] = [:]
      var anchor: String?
      for item in second {
        if order.contains(item.itemKey) {
          anchor = item.itemKey
        } else {
          followers[anchor, default: []] += resolved(item.itemKey)
        }
      }
      var items: [Item] = []
      var waiting = followers[nil] ?? []
      for item in first {
        if !isSaved || common.contains(item.itemKey) {
          items += waiting
          waiting = []
        }
        items += resolved(item.itemKey)
        waiting += followers[item.itemKey] ?? []
      }
      return items + waiting
    }

    /// What becomes of an item: nothing, itself, or itself and a copy.
    private mutating func resolved(_ key: String) -> [Item] {
      let (old, mine, theirs) = (base[key], mine[key], theirs[key])
      if mine == theirs || mine == old { return theirs.map { [$0] } ?? [] }
      if theirs == old { return mine.map { [$0] } ?? [] }
      guard let mine, let theirs else {
        conflicts.append(ItemConflict(key: key, copyKey: nil))
        return (mine ?? theirs).map { [$0] } ?? []
      }
      if let old, let item = Self.merged(old, mine, theirs) { return [item] }
      let copy = mine.rekeyed()
      conflicts.append(ItemConflict(key: key, copyKey: copy.itemKey))
      return [theirs, copy]
    }

    /// The item with the values that each has changed; nil where both have changed the same one.
    private static func merged(_ old: Item, _ mine: Item, _ theirs: Item) -> Item? {
      guard let name = value(\.name, old, mine, theirs),
        let dollars = value(\.valueInDollars, old, mine, theirs),
        let serialNumber = value(\.serialNumber, old, mine, theirs),
        let date = value(\.dateCreated, old, mine, theirs),
        let category = value(\.category, old, mine, theirs),
        let unknown = value(\.unknownValues, old, mine, theirs)
      else { return nil }
      return Item(
        name: name, valueInDollars: dollars, serialNumber: serialNumber, dateCreated: date,
        category: category, itemKey: old.itemKey, unknownValues: unknown)
    }

    private static func value<Value: Equatable>(
      _ path: KeyPath<Item, Value>, _ old: Item, _ mine: Item, _ theirs: Item
    ) -> Value? {
      let (old, mine, theirs) = (old[keyPath: path], mine[keyPath: path], theirs[keyPath: path])
      if mine == theirs || mine == old { return theirs }
      return theirs == old ? mine : nil
    }
  }
}
