public import Foundation

/// Which items to show, and in which order.
///
/// ```swift
/// let expensive = ItemQuery(values: 100...Int.max, order: .value, isDescending: true)
/// for item in store.items(matching: expensive) { print(item.name) }
/// print(store.totals(matching: expensive).valueInDollars)
/// ```
public struct ItemQuery: Hashable, Sendable {
  /// What items are sorted by; those that are equal stay in the list's order.
  public enum Order: Hashable, Sendable, CaseIterable {
    /// The order of the list.
    case list
    /// As a person of the current locale would sort names.
    case name
    case value
    case date
    /// In the order of a menu, ``Category/allCases``.
    case category
  }

  /// A part of the name, in any case and with or without accents; nil for all names.
  public var name: String?
  /// Values in whole dollars; nil for all.
  public var values: ClosedRange<Int>?
  /// When the items were made; nil for any time.
  public var dates: ClosedRange<Date>?
  /// Categories as they are shown; nil for all.
  public var categories: Set<Category>?
  /// What the items are sorted by.
  public var order: Order
  /// Whether the last comes first.
  public var isDescending: Bool

  /// Makes a query; without parameters it is for all items as they are.
  ///
  /// - Parameters:
  ///   - name: A part of the name, in any case and with or without accents.
  ///   - values: Values in whole dollars.
  ///   - dates: When the items were made.
  ///   - categories: Categories as they are shown.
  ///   - order: What the items are sorted by.
  ///   - isDescending: Whether the last comes first.
  public init(
    name: String? = nil, values: ClosedRange<Int>? = nil, dates: ClosedRange<Date>? = nil,
    categories: Set<Category>? = nil, order: Order = .list, isDescending: Bool = false
  ) {
    self.name = name
    self.values = values
    self.dates = dates
    self.categories = categories
    self.order = order
    self.isDescending = isDescending
  }

  /// Whether the query is for this item.
  public func matches(_ item: Item) -> Bool {
    matches(name: item.name)
      && values?.contains(item.valueInDollars) ?? true
      && dates?.contains(item.dateCreated) ?? true
      && categories?.contains(item.category.displayed) ?? true
  }

  package func matches(name other: String) -> Bool {
    guard let name, !name.isEmpty else { return true }
    return other.range(of: name, options: [.caseInsensitive, .diacriticInsensitive]) != nil
  }

  /// The items that the query is for, in its order.
  public func items(of items: [Item]) -> [Item] {
    let found = items.filter(matches)
    guard order != .list else { return isDescending ? found.reversed() : found }
    // The standard library's sort keeps the order of equal ones, in both directions.
    return found.sorted { left, right in
      isDescending ? comesBefore(right, left) : comesBefore(left, right)
    }
  }

  private func comesBefore(_ left: Item, _ right: Item) -> Bool {
    switch order {
    case .list: false
    case .name: left.name.localizedStandardCompare(right.name) == .orderedAscending
    case .value: left.valueInDollars < right.valueInDollars
    case .date: left.dateCreated < right.dateCreated
    case .category: Self.place(of: left.category) < Self.place(of: right.category)
    }
  }

  private static func place(of category: Category) -> Int {
    Category.allCases.firstIndex(of: category.displayed) ?? Category.allCases.count
  }
}

extension ItemStore {
  /// The items that a query is for, in its order.
  public func items(matching query: ItemQuery) -> [Item] { query.items(of: allItems) }

  /// What the items that a query is for are worth together.
  public func totals(matching query: ItemQuery = ItemQuery()) -> ItemTotals {
    ItemTotals(of: allItems.lazy.filter(query.matches))
  }
}
