import CAllocations
import Foundation
import ItemModel

extension Benchmark {
  /// Opening a list of 100 000 items, beside Foundation's coder on a plain struct.
  static let itemsPlistLoad = Benchmark(name: "items-plist-load", usualRounds: 7) { rounds in
    let list = try StoredItemList()
    let before = cb_allocations_now().bytes
    var store: ItemStore? = try ItemStore(contentsOf: list.url)
    let bytes = cb_allocations_now().bytes - before
    let pair = try await Pair.measure(rounds: rounds) {
      store = nil
      return try ProcessorClock.thread.cost(repeating: 1) {
        store = try ItemStore(contentsOf: list.url)
      } / 1000
    } base: {
      try ProcessorClock.thread.cost(repeating: 1) {
        blackHole(
          try PropertyListDecoder().decode([PlainItem].self, from: Data(contentsOf: list.plainURL)))
      } / 1000
    }
    var result = Measurement(
      pair: pair, unit: "ms",
      baseName: "PropertyListDecoder on a struct with synthesized conformance", limit: 1.5)
    result.notes = [
      "\(bytes / UInt64(StoredItemList.count)) bytes allocated an item, file and all",
      try list.jsonNote(),
    ]
    result.check(
      store?.allItems.count == StoredItemList.count && store?.loadResult == .loaded,
      "all items are read")
    return result
  }

  /// One edit in a list of 100 000 items, saved, beside Foundation's coder and an atomic write.
  static let itemsPlistSave = Benchmark(name: "items-plist-save", usualRounds: 7) { rounds in
    let list = try StoredItemList()
    let store = try ItemStore(contentsOf: list.url)
    var item = store.allItems[StoredItemList.count / 2]
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let pair = try await Pair.measure(rounds: rounds) {
      try ProcessorClock.thread.cost(repeating: 1) {
        item.valueInDollars += 1
        store.update(item)
        try store.saveChanges()
      } / 1000
    } base: {
      try ProcessorClock.thread.cost(repeating: 1) {
        try encoder.encode(list.items).write(to: list.plainURL, options: .atomic)
      } / 1000
    }
    var result = Measurement(
      pair: pair, unit: "ms",
      baseName: "PropertyListEncoder on a struct with synthesized conformance, written atomically",
      limit: 1.5)
    let copy = try ItemStore(contentsOf: list.url)
    result.check(copy.allItems == store.allItems, "the file holds the edited list")
    return result
  }
}

/// An item as a program would have it that leaves its conformance to the compiler.
struct PlainItem: Codable {
  var name: String
  var valueInDollars: Int
  var serialNumber: String?
  var dateCreated: Date
  var category: String
  var itemKey: String

  init(_ item: Item) {
    name = item.name
    valueInDollars = item.valueInDollars
    serialNumber = item.serialNumber
    dateCreated = item.dateCreated
    category = item.category.rawValue
    itemKey = item.itemKey
  }
}

/// The same 100 000 items in a store's file and in one of Foundation's.
private struct StoredItemList {
  static let count = 100_000

  let folder: ScratchFolder
  let items: [PlainItem]
  var url: URL { folder.url.appending(path: "items.plist") }
  var plainURL: URL { folder.url.appending(path: "plain.plist") }

  init() throws {
    folder = try ScratchFolder()
    let store = try ItemStore(contentsOf: folder.url.appending(path: "items.plist"))
    for number in 0..<Self.count {
      store.createItem(
        name: "Item number \(number)",
        serialNumber: number.isMultiple(of: 3) ? nil : "SN-\(number)",
        valueInDollars: number % 5000,
        category: ItemModel.Category.allCases[number % 4])
    }
    try store.saveChanges()
    items = store.allItems.map(PlainItem.init)
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    try encoder.encode(items).write(to: plainURL)
  }

  /// What the same costs as JSON.
  func jsonNote() throws -> String {
    var json = Data()
    let writing = try ProcessorClock.thread.cost(repeating: 1) {
      json = try JSONEncoder().encode(items)
    }
    let reading = try ProcessorClock.thread.cost(repeating: 1) {
      blackHole(try JSONDecoder().decode([PlainItem].self, from: json))
    }
    return "JSON of the same struct: \(hundredths(reading / 1000)) ms to read, "
      + "\(hundredths(writing / 1000)) ms to write"
  }
}
