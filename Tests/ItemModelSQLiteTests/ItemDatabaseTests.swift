import Foundation
import TestSupport
import Testing

@testable import ItemModel
@testable import ItemModelSQLite

/// An inventory that is never read whole.
@Suite(.timeLimit(.minutes(1)))
struct ItemDatabaseTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: "items.sqlite")
  }

  @Test func beginsEmptyAndMakesNothingUntilItIsChanged() throws {
    let database = try ItemDatabase(contentsOf: url)

    #expect(database.loadResult == .absent)
    #expect(try database.items(limit: 10) == [])
    #expect(try database.totals() == ItemTotals(of: []))
    #expect(try database.item(forKey: "k") == nil)
    #expect(try database.removeItem(forKey: "k") == nil)
    #expect(database.fileURL == url)
  }

  @Test func changesOneItemAtATime() throws {
    let database = try ItemDatabase(contentsOf: url)
    let (a, b, c) = (
      Item(name: "a", valueInDollars: 1), Item(name: "b", valueInDollars: 2),
      Item(name: "c", valueInDollars: 3)
    )
    #expect(try database.insert(a))
    #expect(try !database.insert(a))
    #expect(try database.insert(b, before: a.itemKey))
    #expect(try database.insert(c, before: "nobody's"))
    #expect(try database.items(limit: 10) == [b, a, c])

    #expect(try database.moveItem(forKey: c.itemKey, before: b.itemKey))
    #expect(try database.moveItem(forKey: b.itemKey, before: nil))
    #expect(try database.moveItem(forKey: b.itemKey, before: b.itemKey))
    #expect(try !database.moveItem(forKey: "nobody's", before: nil))
    #expect(try database.items(limit: 10) == [c, a, b])

    let changed = try database.updateItem(forKey: a.itemKey) { $0.name = "changed" }
    #expect(changed?.name == "changed")
    #expect(try database.item(forKey: a.itemKey) == changed)
    #expect(try database.updateItem(forKey: "nobody's") { $0.name = "" } == nil)
    #expect(try database.removeItem(forKey: c.itemKey) == c)
    #expect(try database.items(limit: 10).map(\.name) == ["changed", "b"])
    #expect(try ItemStore(database: url).allItems.map(\.name) == ["changed", "b"])
  }

  /// What a store answers from memory, a database answers from the file.
  @Test(arguments: ItemQuery.Order.allCases, [false, true])
  func answersEachQueryAsAStoreDoes(order: ItemQuery.Order, isDescending: Bool) throws {
    var random = StoredSample.Generator(state: 11)
    let store = try ItemStore(database: url)
    let names = ["Äpfel", "apfel 10", "Apfel 9", "zebra", "", "Ämter", "item"]
    let categories = Category.allCases + [.unknown("lent"), .unknown("Book")]
    for _ in 0..<400 {
      store.insert(
        Item(
          name: names.randomElement(using: &random) ?? "",
          valueInDollars: Int(random.next() % 7) - 3, serialNumber: nil,
          dateCreated: Date(timeIntervalSinceReferenceDate: Double(random.next() % 9) + 0.5),
          category: categories.randomElement(using: &random) ?? .other,
          itemKey: "\(random.next())", unknownValues: [:]))
    }
    try store.saveChanges()
    let database = try ItemDatabase(contentsOf: url)
    let dates = Date(timeIntervalSinceReferenceDate: 2)...Date(timeIntervalSinceReferenceDate: 6)
    let queries = [
      ItemQuery(), ItemQuery(values: -1...2), ItemQuery(dates: dates), ItemQuery(name: "APF"),
      ItemQuery(categories: [.book, .other]), ItemQuery(categories: [.electronics]),
      ItemQuery(categories: []), ItemQuery(categories: [.unknown("lent")]),
      ItemQuery(name: "", values: 0...Int.max, dates: dates, categories: [.other, .clothing]),
      ItemQuery(name: "am", values: Int.min...2),
    ]
    for var query in queries {
      query.order = order
      query.isDescending = isDescending
      let expected = store.items(matching: query)
      #expect(try database.items(matching: query, limit: .max) == expected, "\(query)")
      #expect(
        try database.items(matching: query, offset: 5, limit: 20)
          == Array(expected.dropFirst(5).prefix(20)), "\(query)")
      #expect(try database.totals(matching: query) == store.totals(matching: query), "\(query)")
    }
    #expect(try database.items(offset: -3, limit: -1) == [])
    #expect(try database.items(offset: 10_000, limit: 1) == [])
  }

  @Test func addsUpWhatIsBeyondAllNumbers() throws {
    let database = try ItemDatabase(contentsOf: url)
    for _ in 0..<3 { try database.insert(Item(name: "", valueInDollars: .max)) }
    #expect(try database.totals().valueInDollars == .max)
    for _ in 0..<7 { try database.insert(Item(name: "", valueInDollars: .min, category: .book)) }
    #expect(try database.totals().valueByCategory == [.other: .max, .book: .min])
    #expect(try database.totals().count == 10)
  }

  /// The room between two rows is used up after 32 inserts, and made again.
  @Test func keepsTheOrderWhereverItemsAreInserted() throws {
    let database = try ItemDatabase(contentsOf: url)
    var random = StoredSample.Generator(state: 5)
    var model: [String] = []
    for number in 0..<1200 {
      let place = number < 400 ? min(1, model.count) : Int(random.next() % 5) * model.count / 4
      let item = Item(name: "\(number)", valueInDollars: number).rekeyed("\(number)")
      try database.insert(item, before: place < model.count ? model[place] : nil)
      model.insert(item.itemKey, at: place)
      if number % 3 == 0, let key = model.randomElement(using: &random) {
        let place = Int(random.next() % UInt64(model.count))
        let successor = model[place]
        try database.moveItem(forKey: key, before: successor)
        if key != successor {
          model.removeAll { $0 == key }
          model.insert(key, at: model.firstIndex(of: successor) ?? 0)
        }
      }
    }
    #expect(try database.items(limit: .max).map(\.itemKey) == model)
  }

  @Test func saysWhereTheNumbersOfRowsAreUsedUp() throws {
    let database = try ItemDatabase(contentsOf: url)
    for number in 0..<3 { try database.insert(Item(name: "\(number)", valueInDollars: number)) }
    try Python.run(
      "db.execute('UPDATE items SET position = 9223372036854775807 WHERE name = \"2\"')", on: url)
    try Python.run(
      "db.execute('UPDATE items SET position = -9223372036854775808 WHERE name = \"0\"')", on: url)

    let error = #expect(throws: ItemStoreError.self) {
      try database.insert(Item(name: "new", valueInDollars: 1))
    }
    #expect(error?.description.contains("used up") == true)
    let first = try database.items(limit: 1)[0]
    #expect(throws: ItemStoreError.self) {
      try database.insert(Item(name: "new", valueInDollars: 1), before: first.itemKey)
    }
    #expect(try database.items(limit: 9).map(\.name) == ["0", "1", "2"])
  }

  @Test func losesNoUpdateOfManyAtOnce() async throws {
    let databases = try (0..<2).map { _ in try ItemDatabase(contentsOf: url) }
    let item = Item(name: "counted", valueInDollars: 0)
    try databases[0].insert(item)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for database in databases {
        for _ in 0..<2 {
          group.addTask {
            for _ in 0..<50 {
              try database.updateItem(forKey: item.itemKey) { $0.valueInDollars += 1 }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try databases[1].item(forKey: item.itemKey)?.valueInDollars == 200)
  }

  @Test func mayBeCalledWhileAnItemIsChanged() throws {
    let database = try ItemDatabase(contentsOf: url)
    let item = Item(name: "a", valueInDollars: 1)
    try database.insert(item)

    try database.updateItem(forKey: item.itemKey) { item in
      item.valueInDollars = (try? database.totals().count) ?? 0
      item.name = "changed"
    }

    #expect(try database.item(forKey: item.itemKey)?.name == "changed")
  }

  @Test func tellsOfEachChangeOfAnybody() async throws {
    let database = try ItemDatabase(contentsOf: url)
    let item = Item(name: "a", valueInDollars: 1)
    var changes = database.changes.makeAsyncIterator()

    try database.insert(item)
    #expect(await changes.next() != nil)
    try Python.run("db.execute('UPDATE items SET valueInDollars = 9')", on: url)
    #expect(await changes.next() != nil)
    #expect(try database.item(forKey: item.itemKey)?.valueInDollars == 9)

    let other = database.changes
    let task = Task {
      for await _ in other {}
      return true
    }
    task.cancel()
    #expect(await task.value)
  }
}
