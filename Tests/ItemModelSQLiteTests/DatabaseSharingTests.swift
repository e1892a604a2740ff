import Foundation
import TestSupport
import Testing

@testable import ItemModel
@testable import ItemModelSQLite

/// Several stores, and other programs, on one database.
@Suite(.timeLimit(.minutes(1)))
struct DatabaseSharingTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: "items.sqlite")
  }

  @Test func winBothWhereTheyEditDifferentItems() throws {
    let (one, two) = (try ItemStore(database: url), try ItemStore(database: url))
    let a = one.createItem(name: "a", valueInDollars: 1)
    let b = two.createItem(name: "b", valueInDollars: 2)

    try one.saveChanges()
    #expect(try two.saveChanges() == [])
    #expect(two.allItems == [a, b])
    #expect(one.allItems == [a])
    #expect(try one.refresh())
    #expect(try !one.refresh())
    #expect(one.allItems == [a, b])
    #expect(try ItemStore(database: url).allItems == [a, b])
  }

  @Test func keepBothOfAConflictAndSaySo() throws {
    let one = try ItemStore(database: url)
    var item = one.createItem(name: "a", valueInDollars: 1)
    try one.saveChanges()
    let two = try ItemStore(database: url)
    item.name = "one's"
    one.update(item)
    item.name = "two's"
    two.update(item)
    try one.saveChanges()

    let conflicts = try two.saveChanges()

    let copyKey = try #require(conflicts.first?.copyKey)
    #expect(conflicts == [ItemConflict(key: item.itemKey, copyKey: copyKey)])
    #expect(two.allItems.map(\.name) == ["one's", "two's"])
    try one.refresh()
    #expect(one.allItems == two.allItems)
  }

  @Test func hearOfEachOther() async throws {
    let (one, two) = (try ItemStore(database: url), try ItemStore(database: url))
    var changes = two.changes.makeAsyncIterator()
    var item = one.createItem(name: "a", valueInDollars: 1)
    try one.saveChanges()
    #expect(await changes.next()?.inserted == [item.itemKey])
    #expect(two.allItems == [item])

    item.valueInDollars = 2
    one.update(item)
    try one.saveChanges()
    #expect(await changes.next()?.updated == [item.itemKey])

    let other = one.createItem(name: "b", valueInDollars: 1)
    try one.saveChanges()
    #expect(await changes.next()?.inserted == [other.itemKey])
    one.moveItem(forKey: other.itemKey, to: 0)
    try one.saveChanges()
    #expect(await changes.next()?.moved.count == 1)
    one.removeItem(forKey: item.itemKey)
    try one.saveChanges()
    #expect(await changes.next()?.removed == [item.itemKey])
    #expect(two.allItems == [other])
  }

  @Test func hearOfAnotherProgram() async throws {
    let store = try ItemStore(database: url)
    let item = store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()
    var changes = store.changes.makeAsyncIterator()

    try Python.run("db.execute('UPDATE items SET valueInDollars = 9')", on: url)

    #expect(await changes.next()?.updated == [item.itemKey])
    #expect(store.allItems.map(\.valueInDollars) == [9])
  }

  @Test func doNotTakeAMissingFileForRemovals() throws {
    let store = try ItemStore(database: url)
    store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()
    for name in try folder.names { folder.remove(name) }

    #expect(try !store.refresh())
    try store.saveChanges()

    #expect(try ItemStore(database: url).allItems == store.allItems)
  }

  @Test func takeInADatabaseThatWasPutInTheOldOnesPlace() throws {
    let store = try ItemStore(database: url)
    let a = store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()
    let elsewhere = folder.url.appending(path: "backup.plist")
    let backup = try ItemStore(contentsOf: elsewhere)
    backup.insert(a)
    let b = backup.createItem(name: "b", valueInDollars: 2)
    try backup.saveChanges()
    for name in try folder.names where name.hasPrefix("items.sqlite") { folder.remove(name) }
    try ItemStore.move(propertyList: elsewhere, toDatabase: url)

    let c = store.createItem(name: "c", valueInDollars: 3)
    try store.saveChanges()

    #expect(store.allItems == [a, b, c])
    #expect(try ItemStore(database: url).allItems == [a, b, c])
  }

  @Test func saveFromManyThreads() async throws {
    let store = try ItemStore(database: url)
    let database = try ItemDatabase(contentsOf: url)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          store.createItem(name: "\(number)", valueInDollars: number)
          try store.saveChanges()
        }
        group.addTask {
          try database.insert(Item(name: "\(100 + number)", valueInDollars: 100 + number))
          _ = try database.items(limit: 5)
        }
      }
      try await group.waitForAll()
    }
    try store.refresh()

    #expect(Set(store.allItems.map(\.valueInDollars)) == Set(0..<20).union(100..<120))
    #expect(try ItemStore(database: url).allItems == store.allItems)
  }
}
