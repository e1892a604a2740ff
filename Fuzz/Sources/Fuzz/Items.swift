import Foundation
import ItemModel

/// A list of items of any kind, through every format that can be written.
func readItems(_ data: Data) {
  // As a program that opens a file: told by its content, else as a table.
  let list =
    (try? ItemExchange.items(json: data)) ?? (try? ItemExchange.items(json: data, dates: .iso8601))
    ?? (try? ItemExchange.items(csv: data))
  guard let items = list?.items, !items.isEmpty else { return }
  expect(Set(items.map(\.itemKey)).count == items.count, "no two items have one key")

  let table = try? ItemExchange.items(csv: Data(ItemExchange.csv(items).utf8))
  expect(table?.problems == [], "each line of a table is an item")
  for (item, copy) in zip(items, table?.items ?? []) {
    expect(item.name == copy.name && item.serialNumber == copy.serialNumber, "texts survive")
    expect(item.itemKey == copy.itemKey && item.category == copy.category, "words survive")
    expect(item.valueInDollars == copy.valueInDollars, "values survive")
    expect(isClose(item.dateCreated, copy.dateCreated), "dates survive")
  }
  expect(table?.items.count == items.count, "a table has all items")

  if let json = try? ItemExchange.json(items) {
    let copies = try? ItemExchange.items(json: json, dates: .iso8601)
    expect(copies?.items.count == items.count, "JSON has all items")
  }
  _ = ItemQuery(name: "a", order: .name).items(of: items)
  _ = ItemTotals(of: items)
}

/// Text has nanoseconds, which a date in the first weeks of 2001 divides further.
private func isClose(_ one: Date, _ other: Date) -> Bool {
  abs(one.timeIntervalSince(other)) <= 1e-9
}
