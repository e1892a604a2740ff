import Foundation
import SQLiteAccess
import TestSupport
import Testing

@testable import ItemModel
@testable import ItemModelSQLite

/// A store whose items are in a database.
@Suite(.timeLimit(.minutes(1)))
struct DatabaseStoreTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: "items.sqlite")
  }

  @Test func beginsEmptyAndMakesNothingUntilItSaves() throws {
    let deep = folder.url.appending(path: "a/b/items.sqlite")
    let store = try ItemStore(database: deep)

    #expect(store.loadResult == .absent)
    #expect(store.allItems == [])
    #expect(try folder.names == [])

    store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()
    #expect(try ItemStore(database: deep).allItems == store.allItems)
  }

  @Test func readsBackWhatItSaved() throws {
    let store = try ItemStore(database: url)
    store.createItem(name: "Bicycle", valueInDollars: .max, category: .other)
    store.createItem(
      name: "\0\u{1F4DA}", serialNumber: "", valueInDollars: .min, category: .unknown("lent"))
    store.insert(
      Item(
        name: "", valueInDollars: 0, serialNumber: "$null",
        dateCreated: Date(timeIntervalSinceReferenceDate: 0.1 + 7e8), category: .book,
        itemKey: "k", unknownValues: ["a": .list([.real(2), .integer(2), .data(Data([1]))])]),
      at: 0)
    try store.saveChanges()
    #expect(!store.hasUnsavedChanges)

    let copy = try ItemStore(database: url)

    #expect(copy.loadResult == .loaded)
    #expect(copy.allItems == store.allItems)
    #expect(copy.fileURL == url)
  }

  /// Any edits, saved at any time: the database holds the list.
  @Test(arguments: 0..<40)
  func holdsWhateverWasEdited(seed: Int) throws {
    var random = StoredSample.Generator(state: UInt64(seed))
    let store = try ItemStore(database: url)
    for number in 0..<120 {
      let items = store.allItems
      let item = items.randomElement(using: &random)
      let place = Int(random.next() % UInt64(items.count + 1))
      switch (random.next() % 8, item) {
      case (0, let item?): store.removeItem(forKey: item.itemKey)
      case (1, _): store.undoRemoval()
      case (2...3, var item?):
        item.name = "\(number)"
        item.category = .unknown("c\(number % 3)")
        store.update(item)
      case (4, let item?): store.moveItem(forKey: item.itemKey, to: place)
      case (5, _): store.insert(Item(name: "\(number)", valueInDollars: number), at: place)
      default: store.createItem(name: "\(number)", valueInDollars: number)
      }
      if random.next() % 4 == 0 {
        try store.saveChanges()
        #expect(!store.hasUnsavedChanges)
        #expect(try ItemStore(database: url).allItems == store.allItems)
      }
    }
    try store.saveChanges()
    #expect(try ItemStore(database: url).allItems == store.allItems)
  }

  @Test func writesTheRowsThatWereEditedAndNoOthers() throws {
    let store = try ItemStore(database: url)
    let items = (0..<50).map { store.createItem(name: "\($0)", valueInDollars: $0) }
    try store.saveChanges()
    try Python.run(
      "db.execute('CREATE TABLE log (what, key)')\n"
        + ["INSERT", "UPDATE", "DELETE"].map {
          "db.execute('CREATE TRIGGER t\($0) AFTER \($0) ON items BEGIN INSERT INTO log "
            + "VALUES (\"\($0)\", \($0 == "DELETE" ? "OLD" : "NEW").name); END')\n"
        }.joined(), on: url)
    let copy = try ItemStore(database: url)

    var item = items[7]
    item.valueInDollars = 1000
    copy.update(item)
    copy.moveItem(forKey: items[3].itemKey, to: 40)
    copy.removeItem(forKey: items[20].itemKey)
    copy.insert(Item(name: "new", valueInDollars: 1), at: 10)
    try copy.saveChanges()

    let log = try Python.run("for row in db.execute('SELECT * FROM log'): print(*row)", on: url)
    #expect(
      Set(log.split(separator: "\n")) == ["UPDATE 7", "UPDATE 3", "DELETE 20", "INSERT new"])
  }

  @Test func insertsAgainAndAgainAtOnePlace() throws {
    let store = try ItemStore(database: url)
    store.createItem(name: "first", valueInDollars: 0)
    store.createItem(name: "last", valueInDollars: 0)
    for number in 0..<300 {
      store.insert(Item(name: "\(number)", valueInDollars: 1), at: 1)
      if number % 2 == 0 { try store.saveChanges() }
    }
    for number in 0..<40 {
      store.insert(Item(name: "front \(number)", valueInDollars: 1), at: 0)
      try store.saveChanges()
    }
    try store.saveChanges()

    #expect(try ItemStore(database: url).allItems == store.allItems)
  }

  @Test func knowsWhatItCouldNotSave() throws {
    let store = try ItemStore(database: url)
    var first = store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()
    try folder.setMode(0o444, of: "items.sqlite")
    first.name = "changed"
    store.update(first)
    store.createItem(name: "b", valueInDollars: 2)

    for _ in 0..<2 {
      let error = #expect(throws: ItemStoreError.self) { try store.saveChanges() }
      #expect(error?.code == .notPermitted)
      #expect(store.hasUnsavedChanges)
    }
    #expect(try ItemStore(database: url).allItems.map(\.name) == ["a"])
    store.createItem(name: "c", valueInDollars: 3)
    try folder.setMode(0o644, of: "items.sqlite")
    try store.saveChanges()
    #expect(try ItemStore(database: url).allItems.map(\.name) == ["changed", "b", "c"])
  }

  // MARK: - The file

  @Test func keepsTheModeOfAPrivateDatabase() throws {
    try folder.write("", to: "items.sqlite")
    try folder.setMode(0o600, of: "items.sqlite")
    let store = try ItemStore(database: url)
    store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()

    #expect(try folder.names == ["items.sqlite", "items.sqlite-shm", "items.sqlite-wal"])
    for name in try folder.names { #expect(try folder.mode(of: name) == 0o600, "\(name)") }
  }

  @Test func makesADatabaseOfTheModeOfAnyNewFile() throws {
    try folder.write("", to: "other")
    let store = try ItemStore(database: url)
    store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()

    #expect(try folder.mode(of: "items.sqlite") == folder.mode(of: "other"))
  }

  @Test func followsALink() throws {
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "real"), withIntermediateDirectories: true)
    folder.link("link.sqlite", to: "real/items.sqlite")
    let one = try ItemStore(database: folder.url.appending(path: "link.sqlite"))
    one.createItem(name: "a", valueInDollars: 1)
    try one.saveChanges()

    let two = try ItemStore(database: folder.url.appending(path: "real/items.sqlite"))
    two.createItem(name: "b", valueInDollars: 2)
    try two.saveChanges()
    try one.refresh()

    #expect(one.allItems.map(\.name) == ["a", "b"])
    #expect(try folder.names == ["link.sqlite", "real"])
  }

  @Test func opensAnyName() throws {
    let url = folder.url.appending(path: "a ?b#c%41 é.sqlite")
    let store = try ItemStore(database: url)
    store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()

    #expect(try folder.names.contains("a ?b#c%41 é.sqlite"))
    #expect(try ItemStore(database: url).allItems == store.allItems)
  }

  @Test func readsWhatLiesOnAMediumThatNobodyCanWrite() throws {
    try Data(contentsOf: GoldenDatabaseTests.url).write(to: url)
    try folder.setMode(0o444, of: "items.sqlite")

    #expect(try ItemStore(database: url).allItems.count == 4)
    #expect(try ItemDatabase(contentsOf: url).items(limit: 2).map(\.itemKey) == ["1", "2"])
  }

  @Test func refusesAFolderAndAnAddressThatIsNoFile() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let error = #expect(throws: ItemStoreError.self) { try ItemStore(database: url) }
    #expect(error?.errno == 21)
    let address = try #require(URL(string: "https://example.org/items.sqlite"))
    #expect(throws: ItemStoreError.self) { try ItemStore(database: address) }
    #expect(try folder.names == ["items.sqlite"])
  }

  @Test(arguments: ["pipe", "loop"])
  func leavesAloneWhatIsNoFile(name: String) throws {
    mkfifo(folder.path("pipe"), 0o600)
    folder.link("loop", to: "loop")

    #expect(throws: ItemStoreError.self) {
      try ItemStore(database: folder.url.appending(path: name))
    }

    #expect(try folder.names == ["loop", "pipe"])
  }

  @Test func waitsForOthersOnlySoLong() throws {
    let file = try ItemDatabaseFile(url: url, patience: 100)
    let store = try ItemStore(storage: DatabaseStorage(file: file))
    store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()
    store.createItem(name: "b", valueInDollars: 1)
    let other = try SQLiteConnection(url.path, .readWrite)
    try other.execute("BEGIN IMMEDIATE")

    let error = #expect(throws: ItemStoreError.self) { try store.saveChanges() }

    #expect(error?.code == .busy)
    #expect(store.hasUnsavedChanges)
    try other.execute("ROLLBACK")
    try store.saveChanges()
    #expect(try ItemStore(database: url).allItems == store.allItems)
  }
}
