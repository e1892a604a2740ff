/// Items in their order, found by their keys.
struct ItemList: Sendable {
  private(set) var items: [Item]
  /// Where each key stands; nil after the order has changed, until somebody asks.
  private var places: [String: Int]?

  init(_ items: [Item] = []) { self.items = items }

  mutating func index(of key: String) -> Int? {
    if places == nil {
      places = Dictionary(
        zip(items.lazy.map(\.itemKey), items.indices), uniquingKeysWith: { first, _ in first })
    }
    return places?[key]
  }

  mutating func insert(_ item: Item, at index: Int?) {
    let end = items.endIndex
    let index = max(0, min(index ?? end, end))
    items.insert(item, at: index)
    if index == end { places?[item.itemKey] = index } else { places = nil }
  }

  mutating func replace(at index: Int, with item: Item) { items[index] = item }

  mutating func remove(at index: Int) -> Item {
    let item = items.remove(at: index)
    if index == items.endIndex { places?[item.itemKey] = nil } else { places = nil }
    return item
  }
}
