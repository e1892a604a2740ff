import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import ItemModel
@testable import ItemModelSQLite

/// Databases that are damaged, older, newer, or somebody else's.
@Suite(.timeLimit(.minutes(1)))
struct DatabaseDamageTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: "items.sqlite")
  }

  private func saved(_ count: Int) throws -> [Item] {
    let store = try ItemStore(database: url)
    for number in 0..<count { store.createItem(name: "\(number)", valueInDollars: number) }
    try store.saveChanges()
    return store.allItems
  }

  @Test(arguments: ["nonsense", "SQLite format 3\0"])
  func setsAsideWhatIsNoDatabase(text: String) throws {
    let bytes = Data((text + String(repeating: "x", count: 5000)).utf8)
    try bytes.write(to: url)
    try folder.write("log", to: "items.sqlite-wal")

    let store = try ItemStore(database: url)
    store.createItem(name: "new", valueInDollars: 1)
    try store.saveChanges()

    guard case .unreadable(let aside, let reason) = store.loadResult else {
      Issue.record("loaded as \(store.loadResult)")
      return
    }
    #expect(aside.lastPathComponent == "items.sqlite.unreadable")
    #expect(try Data(contentsOf: aside) == bytes)
    #expect(try folder.text(of: "items.sqlite.unreadable-wal") == "log")
    #expect(!reason.isEmpty)
    #expect(try ItemStore(database: url).allItems.map(\.name) == ["new"])
    let again = try ItemDatabase(contentsOf: url)
    #expect(again.loadResult == .loaded)
  }

  @Test func setsADamagedDatabaseAsideWhoeverFindsIt() throws {
    let count = try saved(2000).count
    let whole = try Data(contentsOf: url)
    var damaged = whole
    // Pages behind the first one: the schema is read, the items are not.
    for index in 4096..<damaged.count where index % 3 == 0 { damaged[index] = 0xFF }
    try damaged.write(to: url)

    let store = try ItemStore(database: url)

    guard case .unreadable(let aside, _) = store.loadResult else {
      Issue.record("loaded as \(store.loadResult)")
      return
    }
    #expect(try Data(contentsOf: aside) == damaged)
    #expect(store.allItems == [])
    try damaged.write(to: url)
    let database = try ItemDatabase(contentsOf: url)
    let error = #expect(throws: ItemStoreError.self) { try database.items(limit: count) }
    #expect(error?.code == .damaged)
    #expect(try Data(contentsOf: url) == damaged)
  }

  @Test func losesNothingWhenADatabaseIsDamagedUnderAStore() throws {
    let items = try saved(500)
    let store = try ItemStore(database: url)
    try Data(String(repeating: "nonsense", count: 1000).utf8).write(to: url)
    store.createItem(name: "new", valueInDollars: 1)

    try store.saveChanges()

    #expect(try ItemStore(database: url).allItems == store.allItems)
    #expect(store.allItems.count == items.count + 1)
  }

  @Test func survivesAnyFlippedBit() throws {
    _ = try saved(20)
    let whole = try Data(contentsOf: url)
    for bit in stride(from: 0, to: whole.count * 8, by: 211) {
      var damaged = whole
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      try damaged.write(to: url)
      do throws(ItemStoreError) {
        // Some bits only change a letter.
        let store = try ItemStore(database: url)
        if case .unreadable(let aside, _) = store.loadResult {
          let bytes = try? Data(contentsOf: aside)
          #expect(bytes == damaged, "bit \(bit)")
        }
      } catch {
        #expect(!error.description.isEmpty)
      }
      for name in try folder.names { folder.remove(name) }
    }
  }

  @Test func doesNotTakeOneStoragesFileForADamagedOneOfTheOther() throws {
    let list = folder.url.appending(path: "items.plist")
    let store = try ItemStore(contentsOf: list)
    store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()
    let items = try saved(2)

    let errors = [
      #expect(throws: ItemStoreError.self) { try ItemStore(database: list) },
      #expect(throws: ItemStoreError.self) { try ItemDatabase(contentsOf: list) },
      #expect(throws: ItemStoreError.self) { try ItemStore(contentsOf: url) },
    ]

    #expect(errors.map { $0?.code } == [.failed, .failed, .failed])
    #expect(errors[2]?.description.contains("it is a database") == true)
    #expect(try ItemStore(contentsOf: list).allItems == store.allItems)
    #expect(try ItemStore(database: url).allItems == items)
  }

  /// Closing a file takes away all locks of the process on it, SQLite's too.
  @Test func leavesTheLocksOfAnOpenDatabaseWhenItIsTakenForAList() throws {
    let store = try ItemStore(database: url)
    store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()
    let number = try #require(try FileStatus(behind: url.path)?.fileNumber)
    func locks() throws -> [Substring] {
      let bytes = try AtomicFile.read("/proc/locks", atMost: 1 << 20)
      let text = String(decoding: bytes, as: UTF8.self)
      return text.split(separator: "\n").filter { $0.contains(":\(number) ") }
    }
    let before = try locks()

    #expect(throws: ItemStoreError.self) { try ItemStore(contentsOf: url) }

    #expect(try locks().count == before.count && !before.isEmpty)
    withExtendedLifetime(store) {}
  }

  // MARK: - Versions

  @Test func refusesANewerSchemaAndLeavesIt() throws {
    _ = try saved(3)
    try Python.run("db.execute('PRAGMA user_version = 7')", on: url)

    let error = #expect(throws: ItemStoreError.self) { try ItemStore(database: url) }

    #expect(error?.code == .newer)
    #expect(error?.description.contains("(schema 7, known is 1)") == true)
    #expect(try Python.run("print(*db.execute('PRAGMA user_version'))", on: url) == "(7,)")
    #expect(throws: ItemStoreError.self) { try ItemDatabase(contentsOf: url) }
  }

  @Test func leavesADatabaseOfAnotherProgramAlone() throws {
    try Python.run("db.execute('CREATE TABLE items (a)')", on: url)
    let bytes = try Data(contentsOf: url)

    let error = #expect(throws: ItemStoreError.self) { try ItemStore(database: url) }

    #expect(error?.code == .failed)
    #expect(try Data(contentsOf: url) == bytes)
    #expect(try folder.names == ["items.sqlite"])
  }

  @Test func bringsAnOlderSchemaUpToDate() throws {
    let items = try saved(3)
    let later = ItemSchema(
      steps: ItemSchema.current.steps + ["ALTER TABLE items ADD COLUMN color TEXT"])

    let file = try ItemDatabaseFile(url: url, schema: later)
    let store = try ItemStore(storage: DatabaseStorage(file: file))

    #expect(store.allItems == items)
    let text = "print(*db.execute('PRAGMA user_version'), *db.execute('SELECT color FROM items'))"
    #expect(try Python.run(text, on: url) == "(2,) (None,) (None,) (None,)")
    let error = #expect(throws: ItemStoreError.self) { try ItemStore(database: url) }
    #expect(error?.code == .newer)
  }

  @Test func changesNothingWhereAMigrationFails() throws {
    let items = try saved(3)
    let later = ItemSchema(
      steps: ItemSchema.current.steps + [
        "ALTER TABLE items ADD COLUMN color TEXT", "CREATE TABLE items (a)",
      ])

    #expect(throws: ItemStoreError.self) {
      try ItemStore(storage: DatabaseStorage(file: ItemDatabaseFile(url: url, schema: later)))
    }

    #expect(try ItemStore(database: url).allItems == items)
    let text = "print(len(db.execute('SELECT * FROM items').fetchone()))"
    #expect(try Python.run(text, on: url) == "9")
  }
}
