/// How many items there are, and what they are worth together.
public struct ItemTotals: Hashable, Sendable {
  /// How many items there are.
  public private(set) var count: Int = 0
  /// What they are worth, in whole dollars; the largest or smallest `Int` where it is beyond that.
  public var valueInDollars: Int { Int(clamping: sums.values.reduce(0, +)) }
  /// The worth of each category that is shown and has items.
  public var valueByCategory: [Category: Int] { sums.mapValues { Int(clamping: $0) } }

  // What is too much on the way may be little in the end.
  private var sums: [Category: Int128] = [:]

  /// Adds items up.
  public init(of items: some Sequence<Item>) {
    for item in items { add(item) }
  }

  /// Those of no items.
  package init() {}

  package mutating func add(_ item: Item) {
    add(1, of: item.category.displayed, worth: Int128(item.valueInDollars))
  }

  /// Adds items of one category.
  package mutating func add(_ count: Int, of category: Category, worth value: Int128) {
    self.count += count
    sums[category, default: 0] += value
  }
}
