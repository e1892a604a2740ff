import Foundation
import TestSupport
import Testing

@testable import ItemModel
@testable import ItemModelSQLite

/// Rows that another program, or a damaged disk, has made; and databases that come without any.
@Suite(.timeLimit(.minutes(1)))
struct DamagedRowTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: "items.sqlite")
    let store = try ItemStore(database: url)
    for key in ["0", "1", "2"] { store.insert(Item(name: "a", valueInDollars: 1).rekeyed(key)) }
    try store.saveChanges()
  }

  @Test func giveTheirKeysToItems() throws {
    try Python.run(
      "db.execute(\"UPDATE items SET unknownValues = x'00' WHERE itemKey = '1'\")", on: url)
    let store = try ItemStore(database: url)
    #expect(store.allItems.map(\.itemKey) == ["0", "2"])
    #expect(store.unreadableItems.map(\.position) == [1])

    store.insert(Item(name: "from a copy", valueInDollars: 7).rekeyed("1"))
    try store.saveChanges()

    let again = try ItemStore(database: url)
    #expect(again.allItems == store.allItems)
    #expect(again.unreadableItems.map(\.value) == store.unreadableItems.map(\.value))
    #expect(again.unreadableItems.map(\.position) == [1])
  }

  @Test func areNoItemsWhereNoStatementFindsTheirKeys() throws {
    try Python.run(
      "db.execute(\"UPDATE items SET itemKey = CAST(x'FF41' AS TEXT) WHERE itemKey = '1'\")",
      on: url)

    let store = try ItemStore(database: url)

    #expect(store.allItems.map(\.itemKey) == ["0", "2"])
    #expect(store.unreadableItems.map(\.reason) == ["Its itemKey is no text."])
  }

  @Test func areNotMissedWhereADatabaseCouldNotBeFilledAnew() throws {
    let trigger =
      "CREATE TRIGGER refuse BEFORE INSERT ON items WHEN NEW.valueInDollars = 13 "
      + "BEGIN SELECT RAISE(ABORT, 'refused'); END"
    let schema = ItemSchema(steps: ItemSchema.current.steps + [trigger])
    func open() throws -> ItemStore {
      try ItemStore(storage: DatabaseStorage(file: ItemDatabaseFile(url: url, schema: schema)))
    }
    let (store, other) = (try open(), try open())
    for suffix in ["", "-wal", "-shm"] { folder.remove("items.sqlite" + suffix) }
    let bad = store.createItem(name: "bad", valueInDollars: 13)

    #expect(throws: ItemStoreError.self) { try store.saveChanges() }
    try other.refresh()
    try store.refresh()

    #expect(other.allItems.count == 3)
    #expect(store.allItems.count == 4)
    store.removeItem(forKey: bad.itemKey)
    try store.saveChanges()
    #expect(try open().allItems == other.allItems)
  }

  @Test func doNotHideThatATriggerRefusesASave() throws {
    try Python.run(
      "db.execute('CREATE TRIGGER t BEFORE UPDATE ON items BEGIN SELECT RAISE(IGNORE); END')",
      on: url)
    let store = try ItemStore(database: url)
    var item = store.allItems[0]
    item.valueInDollars = 7
    store.update(item)

    #expect(throws: ItemStoreError.self) { try store.saveChanges() }

    #expect(store.hasUnsavedChanges)
  }
}
