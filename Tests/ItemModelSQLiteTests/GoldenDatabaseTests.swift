import Foundation
import TestSupport
import Testing

@testable import ItemModel
@testable import ItemModelSQLite

/// A database that Python has made by the documented tables; see Golden/make.py.
@Suite(.timeLimit(.minutes(1)))
struct GoldenDatabaseTests {
  static let url = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Golden/python.sqlite")

  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: "items.sqlite")
    try FileManager.default.copyItem(at: Self.url, to: url)
  }

  @Test func isReadInFull() throws {
    let store = try ItemStore(database: url)

    let date = { (seconds: Double) in Date(timeIntervalSinceReferenceDate: 736_250_400 + seconds) }
    #expect(
      store.allItems == [
        Item(
          name: "Bicycle", valueInDollars: 450, serialNumber: "A1", dateCreated: date(0.1),
          category: .other, itemKey: "1", unknownValues: [:]),
        Item(
          name: "Bücher 📚\0", valueInDollars: 1 << 62, serialNumber: nil, dateCreated: date(0),
          category: .book, itemKey: "2", unknownValues: [:]),
        Item(
          name: "$null", valueInDollars: -7, serialNumber: nil, dateCreated: date(0.5),
          category: .unknown("furniture"), itemKey: "3",
          unknownValues: ["rooms": .list([.text("attic"), .integer(2), .real(2), .bool(true)])]),
        Item(
          name: "last", valueInDollars: 1, serialNumber: nil,
          dateCreated: Date(timeIntervalSinceReferenceDate: 0), category: .clothing, itemKey: "4",
          unknownValues: [:]),
      ])
    #expect(
      store.unreadableItems == [
        UnreadableItem(
          position: 2, value: .fields(["name": .text("b"), "valueInDollars": .text("much")]),
          reason: "Its valueInDollars is no whole number.")
      ])
  }

  @Test func losesNothingWhenItemsAreEdited() throws {
    try Python.run("db.execute('ALTER TABLE items ADD COLUMN color TEXT DEFAULT \"red\"')", on: url)
    let store = try ItemStore(database: url)
    for var item in store.allItems {
      item.name += "!"
      store.update(item)
    }
    store.moveItem(forKey: "1", to: 3)
    try store.saveChanges()

    let copy = try ItemStore(database: url)
    #expect(copy.allItems == store.allItems)
    #expect(copy.allItems.map(\.name) == ["Bücher 📚\0!", "$null!", "last!", "Bicycle!"])
    #expect(copy.unreadableItems.map(\.value) == store.unreadableItems.map(\.value))
    let text =
      "print(set(db.execute('SELECT color FROM items')), db.execute('SELECT hex(raw) FROM "
      + "items WHERE raw IS NOT NULL').fetchone() == (\(Self.raw),))"
    #expect(try Python.run(text, on: url) == "{('red',)} True")
  }

  /// The bytes that Python has written.
  private static let raw =
    "__import__('plistlib').dumps([{'name': 'b', 'valueInDollars': 'much'}], "
    + "fmt=__import__('plistlib').FMT_BINARY).hex().upper()"
}
