import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import ItemModel

@Suite(.timeLimit(.minutes(1)))
struct ItemStoreTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: "items.plist")
  }

  private func write(_ root: Any, format: PropertyListSerialization.PropertyListFormat) throws {
    try PropertyListSerialization.data(fromPropertyList: root, format: format, options: 0)
      .write(to: url)
  }

  // MARK: - The list

  @Test func beginsEmptyWhereThereIsNoFile() throws {
    let store = try ItemStore(contentsOf: url)

    #expect(store.allItems == [])
    #expect(store.loadResult == .absent)
    #expect(store.fileURL == url)
    #expect(try folder.names == [])
  }

  @Test func findsItemsByTheirKeys() throws {
    let store = try ItemStore(contentsOf: url)
    let bike = store.createItem(name: "Bicycle", valueInDollars: 450, category: .other)
    let book = store.createItem(
      name: "Book", serialNumber: "978", valueInDollars: 12, category: .book)

    #expect(store.allItems == [bike, book])
    #expect(store.item(forKey: book.itemKey)?.serialNumber == "978")
    #expect(store.item(forKey: "nobody's") == nil)
  }

  @Test(arguments: [(nil, 2), (0, 0), (1, 1), (2, 2), (99, 2), (-5, 0)])
  func insertsWithinTheList(index: Int?, expected: Int) throws {
    let store = try ItemStore(contentsOf: url)
    store.createItem(name: "a", valueInDollars: 1)
    store.createItem(name: "b", valueInDollars: 2)
    let item = Item(name: "c", valueInDollars: 3)

    #expect(store.insert(item, at: index))
    #expect(store.allItems.firstIndex(of: item) == expected)

    #expect(!store.insert(item, at: index))
    #expect(store.allItems.count == 3)
  }

  @Test func updatesAndRemovesWhatIsThere() throws {
    let store = try ItemStore(contentsOf: url)
    var item = store.createItem(name: "a", valueInDollars: 1)
    let other = store.createItem(name: "b", valueInDollars: 2)

    item.valueInDollars = 10
    #expect(store.update(item))
    #expect(store.allItems == [item, other])

    #expect(store.removeItem(forKey: item.itemKey) == item)
    #expect(store.removeItem(forKey: item.itemKey) == nil)
    #expect(!store.update(item))
    #expect(store.allItems == [other])
  }

  @Test(arguments: zip(0..<3, [[1, 2, 0], [0, 2, 1], [0, 1, 2]]))
  func movesWithinTheList(index: Int, expected: [Int]) throws {
    let store = try ItemStore(contentsOf: url)
    let items = (0..<3).map { store.createItem(name: "\($0)", valueInDollars: $0) }

    #expect(store.moveItem(forKey: items[index].itemKey, to: 99))
    #expect(store.allItems.map(\.valueInDollars) == expected)
    #expect(store.item(forKey: items[1].itemKey) == items[1])
    #expect(!store.moveItem(forKey: "nobody's", to: 0))
  }

  @Test func undoesRemovals() throws {
    let store = try ItemStore(contentsOf: url)
    let items = (0..<3).map { store.createItem(name: "\($0)", valueInDollars: $0) }
    store.removeItem(forKey: items[1].itemKey)
    store.removeItem(forKey: items[0].itemKey)
    try store.saveChanges()

    #expect(store.undoRemoval() == items[0])
    #expect(store.undoRemoval() == items[1])
    #expect(store.undoRemoval() == nil)
    #expect(store.allItems == items)
  }

  @Test func knowsWhetherItIsSaved() throws {
    let store = try ItemStore(contentsOf: url)
    #expect(!store.hasUnsavedChanges)

    store.createItem(name: "a", valueInDollars: 1)
    #expect(store.hasUnsavedChanges)

    try store.saveChanges()
    #expect(!store.hasUnsavedChanges)
    let status = try FileManager.default.attributesOfItem(atPath: url.path)
    try store.saveChanges()
    let later = try FileManager.default.attributesOfItem(atPath: url.path)
    #expect(status[.systemFileNumber] as? NSNumber == later[.systemFileNumber] as? NSNumber)
  }

  // MARK: - The file

  @Test func readsBackWhatItSaved() throws {
    let store = try ItemStore(contentsOf: url)
    store.createItem(name: "Bicycle", valueInDollars: 450, category: .other)
    store.createItem(name: "", serialNumber: "978", valueInDollars: -1, category: .unknown("lent"))
    try store.saveChanges()

    let copy = try ItemStore(contentsOf: url)

    #expect(copy.loadResult == .loaded)
    #expect(copy.allItems == store.allItems)
    #expect(try folder.names == [".items.plist.lock", "items.plist"])
  }

  @Test func savesABinaryPropertyListWithAnArrayAtItsRoot() throws {
    let store = try ItemStore(contentsOf: url)
    store.createItem(name: "Bicycle", valueInDollars: 450)
    try store.saveChanges()

    var format = PropertyListSerialization.PropertyListFormat.xml
    let root = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: url), format: &format)

    #expect(format == .binary)
    #expect((root as? [[String: Any]])?.map { $0["name"] as? String } == ["Bicycle"])
  }

  @Test func readsAnXMLFileOfAnOlderVersion() throws {
    try write(
      [["name": "a", "valueInDollars": 1, "dateCreated": Date(), "serialNumber": "$null"]],
      format: .xml)

    let store = try ItemStore(contentsOf: url)

    #expect(store.allItems.map(\.name) == ["a"])
    #expect(store.allItems[0].serialNumber == nil)
  }

  @Test func makesTheFolderWhenItSaves() throws {
    let deep = folder.url.appending(path: "a/b/items.plist")
    let store = try ItemStore(contentsOf: deep)
    store.createItem(name: "a", valueInDollars: 1)

    try store.saveChanges()
    try FileManager.default.removeItem(at: folder.url.appending(path: "a"))
    try store.saveChanges()

    #expect(try ItemStore(contentsOf: deep).allItems.count == 1)
  }

  @Test func keepsBothItemsThatShareAKey() throws {
    let item: [String: Any] = [
      "name": "a", "valueInDollars": 1, "dateCreated": Date(), "itemKey": "same",
    ]
    try write([item, item, item], format: .binary)

    let items = try ItemStore(contentsOf: url).allItems

    #expect(items.count == 3)
    #expect(items[0].itemKey == "same")
    #expect(Set(items.map(\.itemKey)).count == 3)
  }

  @Test func takesAwayWhatAPowerLossHasLeftOfASave() throws {
    for name in [".unfinished-1", ".unfinished-2", "unfinished"] { try folder.write("", to: name) }
    folder.setAge(7200, of: ".unfinished-1")
    folder.setAge(7200, of: "unfinished")
    let store = try ItemStore(contentsOf: url)
    store.createItem(name: "a", valueInDollars: 1)

    try store.saveChanges()

    #expect(
      try folder.names == [".items.plist.lock", ".unfinished-2", "items.plist", "unfinished"])
  }

  // MARK: - Refused

  @Test func throwsWhatIsNoDamage() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)

    let error = #expect(throws: ItemStoreError.self) { try ItemStore(contentsOf: url) }

    #expect(error?.code == .failed)
    #expect(error?.errno == 21)
    #expect(try folder.names == ["items.plist"])
  }

  @Test func saysWhyItCouldNotRead() throws {
    try Data().write(to: folder.url.appending(path: "file"))
    let blocked = folder.url.appending(path: "file/items.plist")
    #expect(throws: ItemStoreError.self) { try ItemStore(contentsOf: blocked) }
  }

  @Test func saysWhatToDoOnAFullDisk() {
    let error = ItemStoreError(
      FileFailure(call: "write", path: "/items.plist", errno: .noSpace),
      doing: "The items could not be saved")

    #expect(error.code == .noSpace)
    #expect(error.errno == 28)
    #expect(
      error.description
        == "The items could not be saved at /items.plist: No space left on device (write); "
        + "make room or raise the quota and try again.")
  }

  /// Writing to a pipe waits for a reader, and the lock is held meanwhile.
  @Test(arguments: ["pipe", "/dev/null", "."])
  func saysThatWhatHasTakenItsPlaceIsNoFileAndKeepsItsItems(target: String) throws {
    let link = folder.url.appending(path: "items.plist")
    let store = try ItemStore(contentsOf: link)
    mkfifo(folder.url.appending(path: "pipe").path, 0o600)
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target)
    store.createItem(name: "a", valueInDollars: 1)

    let error = #expect(throws: ItemStoreError.self) { try store.saveChanges() }

    #expect(error?.code == .failed)
    #expect(error?.description.contains("name a file") == true)
    #expect(store.allItems.count == 1)
    #expect(try folder.names == ["items.plist", "pipe"])
  }

  @Test(arguments: [true, false])
  func namesTheVariableThatMovesTheProgramsOwnFolder(isPrivate: Bool) throws {
    try Data().write(to: folder.url.appending(path: "file"))
    let file = try ItemFile(
      url: folder.url.appending(path: "file/items.plist"), isPrivate: isPrivate)

    let error = #expect(throws: ItemStoreError.self) {
      try file.save(since: ItemVersion()) { _ in
        ItemSave(list: ItemList(), unreadable: [], unsaved: UnsavedEdits())
      }
    }

    #expect(error?.description.hasSuffix(", or set XDG_DATA_HOME.") == isPrivate)
  }

  @Test func refusesAnAddressThatIsNoFile() throws {
    let address = try #require(URL(string: "https://example.org/items.plist"))

    #expect(throws: ItemStoreError.self) { try ItemStore(contentsOf: address) }
  }

  // MARK: - Threads

  @Test func neverSavesAnOlderStateOverANewerOne() async throws {
    let store = try ItemStore(contentsOf: url)

    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          store.createItem(name: "\(number)", valueInDollars: number)
          try store.saveChanges()
        }
      }
      try await group.waitForAll()
    }

    #expect(store.allItems.count == 40)
    #expect(try ItemStore(contentsOf: url).allItems == store.allItems)
  }
}
