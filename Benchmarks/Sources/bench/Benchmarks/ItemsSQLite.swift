import CAllocations
import CBaselines
import Foundation
import ItemModel
import ItemModelSQLite

extension Benchmark {
  /// One edit of an item saved to a database, beside a prepared UPDATE.
  static let itemsSQLiteEdit = Benchmark(name: "items-sqlite-edit", usualRounds: 15) { rounds in
    let small = try EditedDatabase(1000)
    let middle = try EditedDatabase(100_000)
    let large = try EditedDatabase(1_000_000)
    let pair = try await Pair.measure(
      rounds: rounds, ours: { try middle.editStore() }, base: { try middle.editInC() })
    var result = Measurement(
      pair: pair, unit: "µs", baseName: "a prepared UPDATE in plain C, 100 000 items", limit: 3)
    var stores: [Pair] = []
    var databases: [Pair] = []
    for edited in [small, middle, large] {
      let store = try await Pair.measure(
        rounds: rounds, ours: { try edited.editStore() }, base: { try edited.editInC() })
      let database = try await Pair.measure(
        rounds: rounds, ours: { try edited.editDatabase() }, base: { try edited.editInC() })
      stores.append(store)
      databases.append(database)
      result.notes.append(
        "\(edited.count) items: ItemStore \(hundredths(store.ours.median)) µs "
          + "(\(hundredths(store.ratios.median)) times C), ItemDatabase "
          + "\(hundredths(database.ours.median)) µs (\(hundredths(database.ratios.median)))")
      result.check(
        database.ratios.median <= 3, "of \(edited.count) items an ItemDatabase is within it, too")
    }
    // C's own edits take longer where more pages are read.
    for (name, pairs) in [("ItemStore", stores), ("ItemDatabase", databases)] {
      result.check(
        pairs[2].ratios.median <= 1.5 * pairs[0].ratios.median,
        "\(name): with a thousand times the items an edit costs no more beside C's")
    }
    result.check(try middle.holdsTheLastEdit(), "the database holds the edits")
    return result
  }

  /// Opening a list of 100 000 items in a database, beside the same SELECT.
  static let itemsSQLiteLoad = Benchmark(name: "items-sqlite-load", usualRounds: 9) { rounds in
    let stored = try StoredDatabase(100_000)
    let before = (cb_allocations_now().bytes, Int(cb_heap_in_use()))
    var store: ItemStore? = try ItemStore(database: stored.url)
    let bytes = (cb_allocations_now().bytes - before.0, Int(cb_heap_in_use()) - before.1)
    let count = store?.allItems.count
    let pair = try await Pair.measure(rounds: rounds) {
      store = nil
      return try ProcessorClock.thread.cost(repeating: 1) {
        store = try ItemStore(database: stored.url)
      } / 1000
    } base: {
      try ProcessorClock.thread.cost(repeating: 1) {
        guard cb_items_load(stored.url.path) == stored.count else {
          throw BenchmarkFailure(description: "SQLite refused")
        }
      } / 1000
    }
    var result = Measurement(
      pair: pair, unit: "ms", baseName: "the same SELECT into structures in plain C", limit: 2)
    let json = try stored.jsonCost()
    result.notes = [
      "an item takes \(bytes.1 / stored.count) bytes of memory; "
        + "\(bytes.0 / UInt64(stored.count)) were allocated on the way",
      "JSONDecoder, a plain struct: \(hundredths(json)) ms",
      "Python's sqlite3, tuples: \(try stored.pythonCost()) ms",
    ]
    result.check(count == stored.count, "all items are read")
    result.check(pair.ours.median * 3 < json, "less than a third of JSON")
    return result
  }

  /// The first fifty of a million items, from opening the file on.
  static let itemsFirstPage = Benchmark(name: "items-first-page", usualRounds: 15) { rounds in
    let stored = try StoredDatabase(1_000_000)
    var items: [Item] = []
    let pair = try await Pair.measure(rounds: rounds) {
      try waited {
        items = try ItemDatabase(contentsOf: stored.url).items(limit: 50)
      } / 1000
    } base: {
      5
    }
    var result = Measurement(pair: pair, unit: "ms", baseName: "the budget", limit: 1)
    let database = try ItemDatabase(contentsOf: stored.url)
    let queries: [(String, ItemQuery, Int)] = [
      ("the 50 in the middle", ItemQuery(), 500_000),
      ("the 50 of most value", ItemQuery(order: .value, isDescending: true), 0),
      ("50 of one category", ItemQuery(categories: [.book]), 0),
    ]
    for (name, query, offset) in queries {
      let time = try waited {
        blackHole(try database.items(matching: query, offset: offset, limit: 50))
      }
      result.notes.append("\(name): \(hundredths(time / 1000)) ms")
    }
    let time = try waited { blackHole(try database.totals()) }
    result.notes.append("totals: \(hundredths(time / 1000)) ms")
    result.check(items == Array(stored.items.prefix(50)), "they are the first ones")
    return result
  }
}

/// Items in a database that nobody has open.
private struct StoredDatabase {
  let folder: ScratchFolder
  let items: [Item]
  var count: Int { items.count }
  var url: URL { folder.url.appending(path: "items.sqlite") }

  init(_ count: Int) throws {
    folder = try ScratchFolder()
    items = (0..<count).map { number in
      Item(
        name: "Item number \(number)",
        serialNumber: number.isMultiple(of: 3) ? nil : "SN-\(number)",
        valueInDollars: number % 5000, category: ItemModel.Category.allCases[number % 4])
    }
    let store = try ItemStore(database: url)
    store.importItems(items)
    try store.saveChanges()
  }

  func jsonCost() throws -> Double {
    let json = try JSONEncoder().encode(items.map(PlainItem.init))
    return try ProcessorClock.thread.cost(repeating: 1) {
      blackHole(try JSONDecoder().decode([PlainItem].self, from: json))
    } / 1000
  }

  func pythonCost() throws -> String {
    let script =
      "import sqlite3, sys, time\nstart = time.process_time()\n"
      + "rows = sqlite3.connect(sys.argv[1]).execute('SELECT itemKey, name, valueInDollars, "
      + "serialNumber, dateCreated, category, unknownValues, raw FROM items ORDER BY position')"
      + ".fetchall()\nprint(round(1000 * (time.process_time() - start), 2))"
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, url.path]
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

/// The same items in two databases, one of them for C, which are edited one by one.
private final class EditedDatabase {
  private static let keyCount = 500

  let count: Int
  private let stored: StoredDatabase
  private let keys: [String]
  private let store: ItemStore
  private let database: ItemDatabase
  private let plain: OpaquePointer
  private var number = 0

  init(_ count: Int) throws {
    self.count = count
    stored = try StoredDatabase(count)
    // All over the list.
    keys = stride(from: 0, to: count, by: count / Self.keyCount).map { [items = stored.items] in
      items[$0].itemKey
    }
    let copy = stored.folder.url.appending(path: "plain.sqlite")
    try FileManager.default.copyItem(at: stored.url, to: copy)
    let another = stored.folder.url.appending(path: "database.sqlite")
    try FileManager.default.copyItem(at: stored.url, to: another)
    store = try ItemStore(database: stored.url)
    database = try ItemDatabase(contentsOf: another)
    guard let plain = cb_items_open(copy.path) else {
      throw BenchmarkFailure(description: "SQLite refused")
    }
    self.plain = plain
  }

  deinit { cb_items_close(plain) }

  /// By edit, in microseconds.
  func editStore() throws -> Double {
    number += 1
    return try ProcessorClock.thread.cost(repeating: 1) {
      for key in keys {
        guard var item = store.item(forKey: key) else { throw missing }
        item.valueInDollars = number
        store.update(item)
        try store.saveChanges()
      }
    } / Double(keys.count)
  }

  func editDatabase() throws -> Double {
    number += 1
    return try ProcessorClock.thread.cost(repeating: 1) {
      for key in keys { try database.updateItem(forKey: key) { $0.valueInDollars = number } }
    } / Double(keys.count)
  }

  func editInC() throws -> Double {
    number += 1
    return try ProcessorClock.thread.cost(repeating: 1) {
      for key in keys {
        guard cb_items_edit(plain, key, Int64(number)) == 0 else { throw missing }
      }
    } / Double(keys.count)
  }

  func holdsTheLastEdit() throws -> Bool {
    _ = try editStore()
    return try ItemDatabase(contentsOf: stored.url).item(forKey: keys[7])?.valueInDollars == number
  }

  private var missing: BenchmarkFailure { BenchmarkFailure(description: "an item is missing") }
}
