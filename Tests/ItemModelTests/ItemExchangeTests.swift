import Foundation
import TestSupport
import Testing

@testable import ItemModel

@Suite(.timeLimit(.minutes(1)))
struct ItemExchangeTests {
  /// Values that some format has trouble with.
  private let items: [Item] = [
    ("Bicycle", "A1", 450, ItemModel.Category.other, 736_250_400.123_456_7),
    ("", nil, 0, .book, 0), ("a,b;c\td", "", -7, .unknown("lent, soon"), 700_000_000.25),
    ("two\r\nlines \"quoted\"", "\"", .max, .clothing, 1), (" blanks ", "'", .min, .other, 2),
    ("=1+1", "+49", 1, .unknown("-x"), 3), ("'=1+1", "''@x", 2, .unknown("@"), 4),
    ("\ttab", "\rreturn", 3, .electronics, 5), ("＝full", "−minus", 4, .other, 6),
    ("👩‍👩‍👧 é e\u{301}", "$x", 5, .other, 7), ("'quoted'", "#", 6, .other, 8),
  ].map { name, serialNumber, value, category, seconds in
    Item(
      name: name, valueInDollars: value, serialNumber: serialNumber,
      dateCreated: Date(timeIntervalSinceReferenceDate: seconds), category: category,
      itemKey: UUID().uuidString, unknownValues: [:])
  }

  private func table(_ text: String) throws -> ItemImport {
    try ItemExchange.items(csv: Data(text.utf8))
  }

  // MARK: - CSV

  @Test func carriesEachItemThroughCSV() throws {
    let result = try table(ItemExchange.csv(items))

    #expect(result.items == items)
    #expect(result.problems == [])
    #expect(result.ignoredColumns == [])
  }

  @Test func writesWhatRFC4180Says() {
    let item = Item(
      name: "a \"b\", c", valueInDollars: -1, serialNumber: nil,
      dateCreated: Date(timeIntervalSinceReferenceDate: 0.5), category: .book, itemKey: "k",
      unknownValues: [:])

    #expect(
      ItemExchange.csv([item])
        == "name,valueInDollars,serialNumber,dateCreated,category,itemKey\r\n"
        + "\"a \"\"b\"\", c\",-1,,2001-01-01T00:00:00.5Z,book,k\r\n")
  }

  @Test(arguments: [
    "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "=\u{301}1", " =1", "\u{A0} '+1",
  ])
  func neverBeginsAFieldAsAFormula(text: String) throws {
    let item = Item(
      name: text, serialNumber: text, valueInDollars: 1, category: .unknown(text))

    let fields = CSVText.records(of: ItemExchange.csv([item]), withField: "name")[1].fields

    #expect(fields.filter { $0.text == "'" + text }.count == 3)
    #expect(try table(ItemExchange.csv([item])).items == [item])
  }

  @Test(arguments: [",", ";", "\t"], ["\n", "\r\n", "\r"])
  func readsTheTablesOfSpreadsheets(separator: String, end: String) throws {
    let lines = [
      ["\u{FEFF}valueInDollars", "name", "color", " category "],
      [" 12 ", "\"a\(end)b\"", "red", "book"], [""], ["x", "c", "", ""], ["3", "d"],
    ]
    let text = lines.map { $0.joined(separator: separator) }.joined(separator: end)

    let result = try table(text)

    #expect(result.items.map(\.name) == ["a\(end)b", "d"])
    #expect(result.items.map(\.valueInDollars) == [12, 3])
    #expect(result.items.map(\.category) == [.book, .other])
    #expect(result.items.allSatisfy { UUID(uuidString: $0.itemKey) != nil })
    #expect(result.ignoredColumns == ["color"])
    #expect(
      result.problems
        == [ItemImport.Problem(place: 5, reason: "Its valueInDollars is no whole number.")])
  }

  @Test(arguments: ["", "name\na", "valueInDollars\n1", "a,b\n1,2"])
  func refusesATableWithoutItsColumns(text: String) {
    let error = #expect(throws: ItemStoreError.self) { try table(text) }

    #expect(error?.code == .damaged)
  }

  @Test func refusesATableOfAnotherEncoding() {
    let error = #expect(throws: ItemStoreError.self) {
      try ItemExchange.items(csv: Data("name,valueInDollars\n".utf8) + Data([0xE9]))
    }

    #expect(error?.code == .damaged)
  }

  @Test func survivesAnyTable() throws {
    var random = StoredSample.Generator(state: 3)
    let letters = Array(",;\"\r\n'=a1\t".utf8)
    for _ in 0..<2000 {
      let bytes = (0..<40).map { _ in letters.randomElement(using: &random) ?? 0 }
      _ = try ItemExchange.items(csv: Data("name,valueInDollars\n".utf8) + Data(bytes))
    }
  }

  // MARK: - JSON

  @Test(arguments: ItemDates.allCases)
  func carriesEachItemThroughJSON(dates: ItemDates) throws {
    var items = items
    items[0].unknownValues = [
      "rooms": .list([.text("attic"), .integer(2), .real(2.5), .bool(true), .null])
    ]

    let result = try ItemExchange.items(json: ItemExchange.json(items, dates: dates))

    #expect(result.problems == [])
    for (item, copy) in zip(items, result.items) {
      #expect(copy.rekeyed("").name == item.name)
      #expect(abs(copy.dateCreated.timeIntervalSince(item.dateCreated)) < 1e-6)
    }
    if dates == .iso8601 || dates == .deferredToDate { #expect(result.items == items) }
  }

  @Test func writesJSONWithoutWhatJSONCannotSay() throws {
    var item = Item(name: "a", valueInDollars: 1)
    item.unknownValues = ["odd": .real(.nan), "data": .data(Data([1]))]

    let copy = try ItemExchange.items(json: ItemExchange.json([item])).items[0]

    #expect(copy.unknownValues == ["odd": .text("NaN"), "data": .text("AQ==")])
  }

  @Test func saysWhichElementsAreNoItems() throws {
    let text = #"[{"name": "a"}, {"name": "b", "valueInDollars": 1, "dateCreated": 7e8}, 3]"#

    let result = try ItemExchange.items(json: Data(text.utf8))

    #expect(result.items.map(\.name) == ["b"])
    #expect(result.problems.map(\.place) == [1, 3])
    #expect(throws: ItemStoreError.self) { try ItemExchange.items(json: Data("{".utf8)) }
  }

  // MARK: - Into a list

  @Test func addsNothingTwiceAndKeepsBothOfAKey() throws {
    let folder = try TemporaryFolder()
    let store = try ItemStore(contentsOf: folder.url.appending(path: "items.plist"))
    var old = items[0]
    old.unknownValues = ["color": .text("red")]
    store.insert(old)
    var changed = items[0]
    changed.name = "changed"

    #expect(store.importItems([items[0]]).isEmpty)
    #expect(store.importItems([changed], where: .skip).isEmpty)
    #expect(store.importItems([changed, items[1]]).inserted.count == 2)
    #expect(store.allItems.map(\.name) == ["Bicycle", "changed", ""])
    #expect(store.importItems([changed], where: .replace).updated == [changed.itemKey])
    #expect(store.allItems.map(\.name) == ["changed", "changed", ""])
    #expect(store.allItems[0].unknownValues == old.unknownValues)
  }
}
