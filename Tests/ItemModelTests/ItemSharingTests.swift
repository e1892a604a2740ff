import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import ItemModel

/// Several stores on one file.
@Suite(.timeLimit(.minutes(1)))
struct ItemSharingTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: "items.plist")
  }

  @Test func winBothWhereTheyEditDifferentItems() throws {
    let (one, two) = (try ItemStore(contentsOf: url), try ItemStore(contentsOf: url))
    let a = one.createItem(name: "a", valueInDollars: 1)
    let b = two.createItem(name: "b", valueInDollars: 2)

    try one.saveChanges()
    #expect(try two.saveChanges() == [])
    #expect(two.allItems == [a, b])
    #expect(one.allItems == [a])
    #expect(try one.refresh())
    #expect(try !one.refresh())
    #expect(one.allItems == [a, b])
    #expect(try ItemStore(contentsOf: url).allItems == [a, b])
  }

  @Test(arguments: [false, true])
  func keepBothOfAConflictAndSaySo(isListening: Bool) async throws {
    let one = try ItemStore(contentsOf: url)
    var item = one.createItem(name: "a", valueInDollars: 1)
    try one.saveChanges()
    let two = try ItemStore(contentsOf: url)
    var changes = isListening ? two.changes.makeAsyncIterator() : nil
    item.name = "one's"
    one.update(item)
    item.name = "two's"
    two.update(item)
    try one.saveChanges()

    var conflicts = try two.saveChanges()
    if isListening {
      // It may have read the file before it was to save.
      var told = ItemChanges()
      while told.conflicts.isEmpty, let next = await changes?.next() { told.add(next) }
      conflicts = told.conflicts
    }

    let copyKey = try #require(conflicts.first?.copyKey)
    #expect(conflicts == [ItemConflict(key: item.itemKey, copyKey: copyKey)])
    #expect(two.allItems.map(\.name) == ["one's", "two's"])
    #expect(two.item(forKey: copyKey)?.name == "two's")
    try one.refresh()
    #expect(one.allItems == two.allItems)
  }

  @Test func doNotTakeAMissingFileForRemovals() throws {
    let store = try ItemStore(contentsOf: url)
    store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()
    try FileManager.default.removeItem(at: url)

    #expect(try !store.refresh())
    try store.saveChanges()

    #expect(try ItemStore(contentsOf: url).allItems == store.allItems)
  }

  @Test func setADamagedFileAsideAndGoOn() throws {
    let store = try ItemStore(contentsOf: url)
    store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()
    try folder.write("nonsense", to: "items.plist")

    try store.saveChanges()

    guard case .unreadable(let aside, _) = store.loadResult else {
      Issue.record("\(store.loadResult)")
      return
    }
    #expect(try Data(contentsOf: aside) == Data("nonsense".utf8))
    #expect(try ItemStore(contentsOf: url).allItems == store.allItems)
  }

  @Test func shareOneFileThroughALink() throws {
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "real"), withIntermediateDirectories: true)
    folder.link("link.plist", to: "real/items.plist")
    let one = try ItemStore(contentsOf: folder.url.appending(path: "link.plist"))
    one.createItem(name: "a", valueInDollars: 1)
    try one.saveChanges()

    let two = try ItemStore(contentsOf: folder.url.appending(path: "real/items.plist"))
    two.createItem(name: "b", valueInDollars: 2)
    try two.saveChanges()
    one.createItem(name: "c", valueInDollars: 3)
    try one.saveChanges()

    #expect(one.allItems.map(\.name) == ["a", "b", "c"])
    #expect(try folder.names == ["link.plist", "real"])
    let type = try FileManager.default.attributesOfItem(atPath: folder.path("link.plist"))[.type]
    #expect(type as? FileAttributeType == .typeSymbolicLink)
  }

  @Test func keepTheModeOfAPrivateFile() throws {
    let store = try ItemStore(contentsOf: url)
    store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()
    try folder.setMode(0o600, of: "items.plist")

    store.createItem(name: "b", valueInDollars: 2)
    try store.saveChanges()

    #expect(try folder.mode(of: "items.plist") == 0o600)
    #expect(try folder.mode(of: ".items.plist.lock") == 0o600)
  }

  @Test func leaveAReadOnlyFileAlone() throws {
    let store = try ItemStore(contentsOf: url)
    store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()
    try folder.setMode(0o444, of: "items.plist")
    let bytes = try Data(contentsOf: url)
    store.createItem(name: "b", valueInDollars: 2)

    let error = #expect(throws: ItemStoreError.self) { try store.saveChanges() }

    #expect(error?.code == .notPermitted)
    #expect(try Data(contentsOf: url) == bytes)
    #expect(store.hasUnsavedChanges)
    try folder.setMode(0o644, of: "items.plist")
    try store.saveChanges()
    #expect(try ItemStore(contentsOf: url).allItems.count == 2)
  }

  // MARK: - Hearing of changes

  @Test func hearOfEachOther() async throws {
    let (one, two) = (try ItemStore(contentsOf: url), try ItemStore(contentsOf: url))
    var changes = two.changes.makeAsyncIterator()
    let item = one.createItem(name: "a", valueInDollars: 1)
    try one.saveChanges()

    let first = await changes.next()

    #expect(first?.inserted == [item.itemKey])
    #expect(two.allItems == [item])
    one.removeItem(forKey: item.itemKey)
    try one.saveChanges()
    #expect(await changes.next()?.removed == [item.itemKey])
    #expect(two.allItems == [])
  }

  @Test func hearOfEachOtherWhereTheFolderIsNotThereYet() async throws {
    let deep = folder.url.appending(path: "a/b/items.plist")
    let (one, two) = (try ItemStore(contentsOf: deep), try ItemStore(contentsOf: deep))
    var changes = two.changes.makeAsyncIterator()
    let item = one.createItem(name: "a", valueInDollars: 1)
    try one.saveChanges()

    #expect(await changes.next()?.inserted == [item.itemKey])
  }

  @Test func tellWhatAddsUpWhileNobodyReads() async throws {
    let store = try ItemStore(contentsOf: url)
    var changes = store.changes.makeAsyncIterator()
    let a = store.createItem(name: "a", valueInDollars: 1)
    let b = store.createItem(name: "b", valueInDollars: 2)
    store.moveItem(forKey: b.itemKey, to: 0)
    store.removeItem(forKey: a.itemKey)

    let all = await changes.next()

    #expect(all?.inserted == [b.itemKey])
    #expect(all?.removed == [])
    #expect(all?.moved == [])
  }

  @Test func endTheSequenceWithTheStoreAndWithItsTask() async throws {
    var store: ItemStore? = try ItemStore(contentsOf: url)
    var first = try #require(store).changes.makeAsyncIterator()
    let second = try #require(store).changes
    let task = Task {
      for await _ in second {}
      return true
    }
    task.cancel()
    #expect(await task.value)
    store = nil

    #expect(await first.next() == nil)
  }

  @Test func postNotificationsAndAreObservable() async throws {
    let store = try ItemStore(contentsOf: url)
    let posted = Mutex<[ItemChanges]>([])
    let seen = Mutex(0)
    let token = NotificationCenter.default.addObserver(
      forName: ItemStore.didChangeNotification, object: store, queue: nil
    ) { note in
      let changes = note.userInfo?[ItemStore.changesUserInfoKey] as? ItemChanges
      posted.withLock { $0 += changes.map { [$0] } ?? [] }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    withObservationTracking {
      _ = store.allItems
    } onChange: {
      seen.withLock { $0 += 1 }
    }

    let item = store.createItem(name: "a", valueInDollars: 1)
    store.update(item)

    #expect(posted.withLock { $0 }.map(\.inserted) == [[item.itemKey]])
    #expect(seen.withLock { $0 } == 1)
  }

  @Test func watchOnlyWhileSomebodyListens() async throws {
    let store = try ItemStore(contentsOf: url)
    #expect(!store.core.watcher.isRunning)
    do {
      let (one, two) = (store.changes, store.changes)
      store.createItem(name: "a", valueInDollars: 1)
      var iterator = one.makeAsyncIterator()
      _ = await iterator.next()
      #expect(store.core.watcher.isRunning)
      _ = two
    }
    #expect(!store.core.watcher.isRunning)
  }
}
