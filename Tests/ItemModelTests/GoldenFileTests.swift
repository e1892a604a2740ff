import Foundation
import TestSupport
import Testing

@testable import ItemModel

/// Files that other programs have written; `Golden/make.py` says which.
@Suite(.timeLimit(.minutes(1)))
struct GoldenFileTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Golden")
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store on a copy, so that nothing can happen to the file.
  private func store(_ name: String, dates: ItemDates? = nil) throws -> ItemStore {
    let url = folder.url.appending(path: name)
    try FileManager.default.copyItem(at: Self.folder.appending(path: name), to: url)
    return try ItemStore(contentsOf: url, dates: dates)
  }

  @Test(arguments: [
    "python-xml.plist", "python-binary.plist", "python-deferred.json", "python-seconds.json",
    "python-milliseconds.json", "python-iso8601.json",
  ])
  func areReadInFull(name: String) throws {
    let store = try store(name)
    let items = store.allItems

    #expect(store.loadResult == .loaded)
    #expect(store.unreadableItems == [])
    #expect(items.map(\.name) == ["Bicycle", "Bücher 📚", "$null", "Old <camera> & case"])
    #expect(items.map(\.valueInDollars) == [450, 0, -7, 12])
    #expect(items.map(\.serialNumber) == ["A1", nil, nil, nil])
    #expect(items.map(\.category) == [.other, .book, .unknown("furniture"), .other])
    #expect(items[1].itemKey == "22222222-2222-4222-8222-222222222222")
    #expect(UUID(uuidString: items[3].itemKey) != nil)
    let start = Date(timeIntervalSince1970: 1_714_557_600)
    // XML has whole seconds only.
    let fraction = name.hasSuffix("xml.plist") ? 0 : 0.25
    #expect(items.map { $0.dateCreated.timeIntervalSince(start) } == [fraction, 0, 1, 2])
    // JSON does not tell 2.0 from 2.
    let two: ItemValue = name.hasSuffix(".json") ? .integer(2) : .real(2)
    #expect(
      items[2].unknownValues == [
        "rooms": .list([
          .text("attic"), .integer(2), two, .bool(true), .fields(["floor": .integer(3)]),
        ])
      ])
  }

  @Test func areReadInFormsThatOnlyHandsWrite() throws {
    let item = try #require(try store("by-hand.plist").allItems.first)

    #expect(item.name == "Häuß")
    #expect(item.valueInDollars == 77)
    #expect(item.dateCreated.timeIntervalSinceReferenceDate == 700_000_000.123456)
    #expect(item.serialNumber == nil)
    #expect(
      item.unknownValues == [
        "later": .list([.real(1.5), .unsigned(1 << 63), .data(Data([0, 1, 2])), .integer(-2)])
      ])
  }

  @Test func haveTheSameKeysWheneverTheyAreRead() throws {
    let first = try store("python-xml.plist")
    let second = try ItemStore(contentsOf: first.fileURL)

    #expect(first.allItems == second.allItems)
  }

  @Test(arguments: ["python-xml.plist", "python-binary.plist", "python-milliseconds.json"])
  func loseNothingWhenOneItemIsEdited(name: String) throws {
    let store = try store(name)
    var items = store.allItems
    items[0].valueInDollars += 1
    store.update(items[0])
    try store.saveChanges()

    #expect(try ItemStore(contentsOf: store.fileURL).allItems == items)
    #expect(try Data(contentsOf: store.fileURL).starts(with: BinaryListReader.signature))
  }

  @Test func areReadAsTheCallerSaysTheirDatesAre() throws {
    let item = try store("python-deferred.json", dates: .secondsSince1970).allItems[1]

    #expect(item.dateCreated == Date(timeIntervalSince1970: 736_250_400))
  }

  @Test func canBeReadByPythonAfterASave() throws {
    let store = try store("python-binary.plist")
    store.createItem(name: "a\0b\u{1} 👩‍👩‍👧", valueInDollars: .min)
    store.createItem(name: String(repeating: "long ", count: 20_000), valueInDollars: .max)
    try store.saveChanges()

    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import plistlib, sys
      items = plistlib.load(open(sys.argv[1], "rb"))
      print(len(items), items[2]["rooms"], ascii(items[4]["name"]), items[4]["valueInDollars"],
        len(items[5]["name"]), items[5]["valueInDollars"])
      """, store.fileURL.path,
    ]
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()

    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "6 ['attic', 2, 2.0, True, {'floor': 3}] 'a\\x00b\\x01 "
        + "\\U0001f469\\u200d\\U0001f469\\u200d\\U0001f467' -9223372036854775808 100000 "
        + "9223372036854775807\n")
  }
}
