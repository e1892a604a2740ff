import Foundation
import TestSupport
import Testing

@testable import ItemModel

/// Files that hold no list of items, or half of one.
@Suite(.timeLimit(.minutes(1)))
struct ItemStoreDamageTests {
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

  @Test(arguments: ["", "nonsense", "bplist00", "{\"name\": 1}", "<?xml version=\"1.0\"?><plist>"])
  func setsAnUnreadableFileAside(text: String) throws {
    try Data(text.utf8).write(to: url)

    let store = try ItemStore(contentsOf: url)
    store.createItem(name: "new", valueInDollars: 1)
    try store.saveChanges()

    guard case .unreadable(let aside, let reason) = store.loadResult else {
      Issue.record("loaded as \(store.loadResult)")
      return
    }
    #expect(try Data(contentsOf: aside) == Data(text.utf8))
    #expect(!reason.isEmpty)
    #expect(try ItemStore(contentsOf: url).allItems.map(\.name) == ["new"])
  }

  @Test func setsEachUnreadableFileAsideUnderANameOfItsOwn() throws {
    for text in ["one", "two"] {
      try Data(text.utf8).write(to: url)
      _ = try ItemStore(contentsOf: url)
    }

    #expect(
      try folder.names == [
        ".items.plist.lock", "items.plist.unreadable", "items.plist.unreadable-2",
      ])
  }

  @Test func saysThatAFileOfAnotherKindIsNoListOfItems() throws {
    try PropertyListEncoder().encode(["name": "a"]).write(to: url)

    let result = try ItemStore(contentsOf: url).loadResult

    guard case .unreadable(_, let reason) = result else {
      Issue.record("loaded as \(result)")
      return
    }
    #expect(reason == "It is no list of items.")
  }

  @Test func keepsWhatIsNoItemWhereItStood() throws {
    let good = { (name: String) -> [String: Any] in
      ["name": name, "valueInDollars": 1, "dateCreated": Date(timeIntervalSince1970: 1e9)]
    }
    let bad: [String: Any] = ["name": "b", "valueInDollars": "much", "dateCreated": Date()]
    try write([bad, good("a"), "word", bad, good("c"), 7], format: .binary)

    let store = try ItemStore(contentsOf: url)
    #expect(store.loadResult == .loaded)
    #expect(store.allItems.map(\.name) == ["a", "c"])
    #expect(store.unreadableItems.map(\.position) == [0, 2, 3, 5])
    #expect(store.unreadableItems[0].reason == "Its valueInDollars is no whole number.")
    #expect(store.unreadableItems[1].value == .text("word"))

    store.createItem(name: "d", valueInDollars: 2)
    try store.saveChanges()

    let copy = try ItemStore(contentsOf: url)
    #expect(copy.allItems == store.allItems)
    #expect(copy.unreadableItems == store.unreadableItems)
    let root = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: url), format: nil)
    let names = (root as? [Any])?.map { ($0 as? [String: Any])?["name"] as? String ?? "\($0)" }
    #expect(names == ["b", "a", "word", "b", "c", "7", "d"])
  }

  @Test(arguments: ["name", "valueInDollars", "dateCreated", "serialNumber", "category", "itemKey"])
  func saysWhichValueIsWrong(key: String) throws {
    var values: [String: Any] = ["name": "b", "valueInDollars": 1, "dateCreated": Date()]
    values[key] = [1]
    try write([values], format: .xml)

    let item = try #require(try ItemStore(contentsOf: url).unreadableItems.first)

    #expect(item.reason.contains(key))
  }

  @Test func losesNothingThatANewerVersionHasWritten() throws {
    let values: [String: Any] = [
      "name": "a", "valueInDollars": 1, "dateCreated": Date(timeIntervalSinceReferenceDate: 0.1),
      "itemKey": "k", "category": "lent", "color": "red", "weight": 2.0,
      "rooms": [["floor": 1, "photo": Data([1, 2])]],
    ]
    try write([values], format: .binary)

    let store = try ItemStore(contentsOf: url)
    var item = store.allItems[0]
    item.name = "changed"
    store.update(item)
    try store.saveChanges()

    let root = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
    var expected = values
    expected["name"] = "changed"
    #expect((root as? NSArray) == [expected] as NSArray)
  }

  /// The file's times stay, as when the disk has changed a bit.
  @Test func findsABitThatTheDiskHasChanged() throws {
    let store = try ItemStore(contentsOf: url)
    store.createItem(name: "Bicycle", valueInDollars: 450)
    try store.saveChanges()
    let bytes = try Data(contentsOf: url)
    let place = try #require(bytes.firstRange(of: Data("Bicycle".utf8))).lowerBound
    try folder.flipBit(place * 8 + 1, of: "items.plist")

    let copy = try ItemStore(contentsOf: url)

    guard case .unreadable(_, let reason) = copy.loadResult else {
      Issue.record("loaded as \(copy.allItems)")
      return
    }
    #expect(reason == "Its bytes are not those that were saved.")
  }

  @Test func readsAFileThatAnotherProgramHasChanged() throws {
    let store = try ItemStore(contentsOf: url)
    store.createItem(name: "Bicycle", valueInDollars: 450)
    try store.saveChanges()
    let item = Item(name: "another", valueInDollars: 1)
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    try encoder.encode([item]).write(to: url)

    #expect(try ItemStore(contentsOf: url).allItems == [item])
    try FileManager.default.removeItem(at: folder.url.appending(path: ".items.plist.lock"))
    #expect(try ItemStore(contentsOf: url).allItems == [item])
  }

  @Test func survivesFilesThatEndAnywhere() throws {
    let store = try ItemStore(contentsOf: url)
    store.createItem(name: "Bicycle", serialNumber: "1", valueInDollars: 450)
    try store.saveChanges()
    let whole = try Data(contentsOf: url)

    for count in 0..<whole.count {
      try whole.prefix(count).write(to: url)
      #expect(try ItemStore(contentsOf: url).allItems == [], "\(count) bytes")
    }

    // And the lock.
    #expect(try folder.names.count == whole.count + 1)
  }

  @Test func survivesFlippedBits() throws {
    let store = try ItemStore(contentsOf: url)
    store.createItem(name: "Bicycle", serialNumber: "1", valueInDollars: 450)
    try store.saveChanges()
    let whole = try Data(contentsOf: url)

    for bit in stride(from: 0, to: whole.count * 8, by: 7) {
      var damaged = whole
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      try damaged.write(to: url)
      let copy = try ItemStore(contentsOf: url)

      // Some bits only change a letter. What cannot be read is still there.
      if case .unreadable(let aside, _) = copy.loadResult {
        #expect(try Data(contentsOf: aside) == damaged, "bit \(bit)")
        try FileManager.default.removeItem(at: aside)
      }
    }
  }

  @Test(arguments: [String.Encoding.utf8, .utf16], ["array", "dict><key>a</key"])
  func survivesValuesThatLieDeepInEachOther(encoding: String.Encoding, tag: String) throws {
    let depth = 100_000
    let text =
      "<?xml version=\"1.0\"?><plist version=\"1.0\">" + String(repeating: "<\(tag)>", count: depth)
      + String(repeating: "</\(tag.prefix { $0 != ">" })>", count: depth) + "</plist>"
    let bytes = try #require(text.data(using: encoding))
    try bytes.write(to: url)

    let store = try ItemStore(contentsOf: url)

    guard case .unreadable(let aside, _) = store.loadResult else {
      Issue.record("It was read as \(store.loadResult)")
      return
    }
    #expect(try Data(contentsOf: aside) == bytes)
  }

  @Test func readsManyFlatValuesOfAnXMLFile() throws {
    let items = (0..<300).map { Item(name: "<array> \($0)", valueInDollars: $0) }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    try encoder.encode(items).write(to: url)

    #expect(try ItemStore(contentsOf: url).allItems.map(\.name) == items.map(\.name))
  }
}
