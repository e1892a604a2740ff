import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import ItemModel

/// What a file and its lock may hold, and what a store writes.
@Suite(.timeLimit(.minutes(1)))
struct ItemFileLimitsTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: "items.plist")
  }

  private func save(_ name: String) throws {
    let store = try ItemStore(contentsOf: url)
    store.createItem(name: name, valueInDollars: 1)
    try store.saveChanges()
  }

  private var names: [String] {
    get throws { try ItemStore(contentsOf: url).allItems.map(\.name) }
  }

  @Test func countsOnFromAnyGeneration() throws {
    try save("a")
    let text = try folder.text(of: ".items.plist.lock")
    let last = text.replacing("generation 1 ", with: "generation \(UInt64.max) ")
    #expect(last != text)
    try folder.write(last, to: ".items.plist.lock")

    try save("b")

    #expect(try names == ["a", "b"])
  }

  @Test func writesNothingBehindALinkInTheLocksPlace() throws {
    try folder.write("somebody's", to: "other")
    folder.link(".items.plist.lock", to: "other")

    let error = #expect(throws: ItemStoreError.self) { try save("a") }

    #expect(error?.errno == ELOOP)
    #expect(try folder.text(of: "other") == "somebody's")
  }

  /// It may be half of what a program is about to replace.
  @Test func setsNothingAsideThatSomebodyHasLocked() throws {
    try folder.write("half", to: "items.plist")
    let lock = try OpenFile(sharing: folder.path(".items.plist.lock"), isWritable: false)
    let isLocked = lock.tryLock(exclusive: true)
    #expect(isLocked)

    let file = try ItemFile(url: url, patience: 1_000_000)
    let error = #expect(throws: ItemStoreError.self) { try file.load() }
    lock.unlock()

    #expect(error?.code == .busy)
    #expect(try folder.text(of: "items.plist") == "half")
  }

  @Test func savesNoListThatNobodyCouldRead() throws {
    try save("a")
    let store = try ItemStore(storage: ItemFile(url: url, maximumByteCount: 1000))
    for _ in 0..<20 { store.createItem(name: "b", valueInDollars: 1) }

    let error = #expect(throws: ItemStoreError.self) { try store.saveChanges() }

    #expect(error?.errno == EFBIG)
    #expect(store.hasUnsavedChanges)
    #expect(try names == ["a"])
  }

  @Test(arguments: [97, 98, 99, 300])
  func savesWhatItCanReadAgain(levels: Int) throws {
    let deep = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    let date = "2024-05-01T10:00:00Z"
    try folder.write(
      "[{\"name\": \"a\", \"valueInDollars\": 1, \"dateCreated\": \"\(date)\", \"x\": \(deep)}]",
      to: "items.plist")

    try save("b")

    #expect(try names == (levels > 98 ? ["b"] : ["a", "b"]))
    #expect(try ItemStore(contentsOf: url).loadResult == .loaded)
  }

  @Test func decodesNoItemThatCouldNotBeSaved() throws {
    let deep = String(repeating: "[", count: 99) + String(repeating: "]", count: 99)
    let text = "{\"name\": \"a\", \"valueInDollars\": 1, \"dateCreated\": 0, \"x\": \(deep)}"
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Item.self, from: Data(text.utf8))
    }
    let values: [String: Any] = [
      "name": "a", "valueInDollars": 1, "dateCreated": Date(timeIntervalSinceReferenceDate: .nan),
    ]
    let list = try PropertyListSerialization.data(
      fromPropertyList: values, format: .binary, options: 0)
    #expect(throws: DecodingError.self) { try PropertyListDecoder().decode(Item.self, from: list) }
  }

  @Test func tellsThousandsOfEqualItemsApart() throws {
    let item = Item(name: "nail", valueInDollars: 0).rekeyed("")
    let elements = [StoredElement](repeating: .item(item), count: 5000)

    let items = try #require(ItemContents(elements)).items

    #expect(Set(items.map(\.itemKey)).count == 5000)
    #expect(items == ItemContents(elements)?.items)
  }

  @Test(arguments: ["pipe", "loop"])
  func leavesAloneWhatIsNoFile(name: String) throws {
    mkfifo(folder.path("pipe"), 0o600)
    folder.link("loop", to: "loop")

    #expect(throws: ItemStoreError.self) {
      try ItemStore(contentsOf: folder.url.appending(path: name))
    }

    #expect(try folder.names == ["loop", "pipe"])
  }
}
