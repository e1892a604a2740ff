import Foundation
import TestSupport
import Testing

@testable import ItemModel
@testable import ItemModelSQLite

/// From one storage to the other.
@Suite(.timeLimit(.minutes(1)))
struct ItemMovingTests {
  private let folder: TemporaryFolder
  private let list: URL
  private let database: URL

  init() throws {
    folder = try TemporaryFolder()
    list = folder.url.appending(path: "items.plist")
    database = folder.url.appending(path: "items.sqlite")
  }

  /// With values, categories and elements that this version does not know.
  private func writeList() throws {
    let values: [String: Any] = [
      "name": "a", "valueInDollars": 1, "dateCreated": Date(timeIntervalSinceReferenceDate: 0.1),
      "itemKey": "k", "category": "lent", "weight": 2.0, "rooms": [["floor": 1]],
    ]
    var other = values
    other["itemKey"] = "l"
    let bad: [String: Any] = ["name": "b", "valueInDollars": "much"]
    try PropertyListSerialization.data(
      fromPropertyList: ["word", values, bad, 7, other, Data([1])], format: .binary, options: 0
    ).write(to: list)
  }

  @Test func losesNothingOnTheWayThere() throws {
    try writeList()
    try folder.setMode(0o640, of: "items.plist")
    let before = try ItemStore(contentsOf: list)

    try ItemStore.move(propertyList: list, toDatabase: database)

    #expect(try folder.names.filter { !$0.hasPrefix(".items") } == ["items.sqlite"])
    #expect(try folder.mode(of: "items.sqlite") == 0o640)
    let between = try ItemStore(database: database)
    #expect(between.allItems == before.allItems)
    #expect(between.unreadableItems == before.unreadableItems)
  }

  @Test func losesNothingOnTheWayBack() throws {
    try writeList()
    let original = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: list), format: nil)
    try ItemStore.move(propertyList: list, toDatabase: database)
    try folder.setMode(0o600, of: "items.sqlite")
    do { _ = try ItemStore(database: database) }

    try ItemStore.move(database: database, toPropertyList: list)

    let copy = try PropertyListSerialization.propertyList(from: Data(contentsOf: list), format: nil)
    #expect((copy as? NSArray) == (original as? NSArray))
    #expect(try folder.names.filter { !$0.hasPrefix(".items") } == ["items.plist"])
    #expect(try folder.mode(of: "items.plist") == 0o600)
  }

  @Test(arguments: 0..<20)
  func carriesAnyStore(seed: Int) throws {
    var random = StoredSample.Generator(state: UInt64(seed))
    let store = try ItemStore(contentsOf: list)
    for number in 0..<Int(random.next() % 200) {
      let text = String(
        repeating: "é\0\u{1F4DA}$null".randomElement(using: &random) ?? "x", count: number)
      store.insert(
        Item(
          name: text, valueInDollars: Int(truncatingIfNeeded: random.next()),
          serialNumber: random.next() % 2 == 0 ? nil : "n\(number)",
          dateCreated: Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9)),
          category: .unknown("\(random.next() % 5)"), itemKey: "\(number)é",
          unknownValues: random.next() % 3 == 0
            ? ["n": .real(.nan), "d": .date(.distantPast)] : [:]),
        at: Int(random.next() % 10))
    }
    try store.saveChanges()

    try ItemStore.move(propertyList: list, toDatabase: database)
    #expect(try ItemStore(database: database).allItems == store.allItems)
    try ItemStore.move(database: database, toPropertyList: list)
    #expect(try ItemStore(contentsOf: list).allItems == store.allItems)
  }

  @Test func overwritesNothing() throws {
    try writeList()
    let bytes = try Data(contentsOf: list)
    for name in ["items.sqlite", "items.sqlite-wal"] {
      try folder.write("something", to: name)
      let error = #expect(throws: ItemStoreError.self) {
        try ItemStore.move(propertyList: list, toDatabase: database)
      }
      #expect(error?.code == .exists)
      #expect(try folder.text(of: name) == "something")
      folder.remove(name)
    }
    #expect(try Data(contentsOf: list) == bytes)
    let store = try ItemStore(database: database)
    store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()

    let closed = folder.url.appending(path: "other.sqlite")
    try ItemStore.move(propertyList: list, toDatabase: closed)
    try folder.write("nonsense", to: "items.plist")
    let error = #expect(throws: ItemStoreError.self) {
      try ItemStore.move(database: closed, toPropertyList: list)
    }
    #expect(error?.code == .exists)
    #expect(try folder.text(of: "items.plist") == "nonsense")
    #expect(try ItemStore(database: closed).allItems.map(\.itemKey) == ["k", "l"])
  }

  @Test func leavesADatabaseThatSomebodyHasOpen() throws {
    let store = try ItemStore(database: database)
    store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()

    let error = #expect(throws: ItemStoreError.self) {
      try ItemStore.move(database: database, toPropertyList: list)
    }

    #expect(error?.code == .busy)
    #expect(try !folder.names.contains("items.plist"))
    store.createItem(name: "b", valueInDollars: 2)
    try store.saveChanges()
    #expect(try ItemStore(database: database).allItems == store.allItems)
  }

  @Test func saysWhereThereIsNothingToMove() throws {
    for (from, to) in [(list, database), (database, list)] {
      let error = #expect(throws: ItemStoreError.self) {
        from == list
          ? try ItemStore.move(propertyList: from, toDatabase: to)
          : try ItemStore.move(database: from, toPropertyList: to)
      }
      #expect(error?.description.hasPrefix("There are no items at ") == true)
      #expect(try folder.names.filter { !$0.hasSuffix(".lock") } == [])
    }
  }

  @Test func leavesNothingUnfinishedBehind() throws {
    try writeList()
    try folder.write("", to: ".unfinished-old")
    folder.setAge(7200, of: ".unfinished-old")
    try folder.write("", to: ".unfinished-young")

    try ItemStore.move(propertyList: list, toDatabase: database)

    #expect(
      try folder.names.filter { $0.hasPrefix(".unfinished") } == [".unfinished-young"])
  }

  @Test func carriesANull() throws {
    let text =
      "[{\"name\": \"a\", \"valueInDollars\": 1, \"dateCreated\": \"2024-05-01T10:00:00Z\", "
      + "\"later\": null, \"more\": {\"b\": [null]}}, null]"
    let (list, database) = (folder.url.appending(path: "a.json"), folder.url.appending(path: "a"))
    try Data(text.utf8).write(to: list)

    try ItemStore.move(propertyList: list, toDatabase: database)

    let store = try ItemStore(database: database)
    #expect(
      store.allItems.map(\.unknownValues) == [
        ["later": .text("$null"), "more": .fields(["b": .list([.text("$null")])])]
      ])
    #expect(store.unreadableItems.map(\.value) == [.text("$null")])
  }
}
