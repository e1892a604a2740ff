import Foundation
import TestSupport
import Testing

@testable import ItemModel

@Suite(.timeLimit(.minutes(1)))
struct BinaryListTests {
  private let values: [ItemValue] = [
    .bool(true), .bool(false), .integer(0), .integer(255), .integer(256), .integer(65_536),
    .integer(1 << 32), .integer(.max), .integer(-1), .integer(.min), .unsigned(.max), .real(2),
    .real(.nan), .real(-.infinity), .date(Date(timeIntervalSinceReferenceDate: 0.1)),
    .data(Data()), .data(Data(0..<200)), .text(""), .text("a\0b"), .text("é"), .text("👩‍👩‍👧"),
    .text("e\u{301}"), .text(String(repeating: "x", count: 70_000)), .list([]), .fields([:]),
    .list([.list([.fields(["a": .list([.text("a")])])])]),
  ]

  @Test func carriesEachValue() throws {
    let bytes = BinaryListWriter.bytes(of: [.value(.list(values))])
    var reader = try BinaryListReader(bytes)

    #expect(try reader.root() == .list([.list(values)]))
  }

  @Test func writesWhatFoundationReads() throws {
    var item = Item(name: "Häuß 👩‍👩‍👧", serialNumber: "1", valueInDollars: -3, category: .book)
    item.unknownValues = ["later": .list(values.filter { $0 != .real(.nan) }), "name": .null]

    let bytes = BinaryListWriter.bytes(of: [.item(item), .item(item.rekeyed())])
    let copies = try PropertyListDecoder().decode([Item].self, from: Data(bytes))

    #expect(copies.map(\.name) == [item.name, item.name])
    #expect(copies[0].itemKey == item.itemKey)
    #expect(copies[0].dateCreated == item.dateCreated)
    #expect(copies[0].unknownValues.keys.sorted() == ["later"])
    let root = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    #expect((root as? [[String: Any]])?[1]["serialNumber"] as? String == "1")
  }

  @Test(arguments: [0, 1, 14, 15, 255, 256, 5000])
  func readsWhatFoundationWrites(count: Int) throws {
    let items = (0..<count).map { Item(name: "item \($0) é", valueInDollars: $0 * 1000) }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary

    let bytes = Array(try encoder.encode(items))

    #expect(try ItemFileReader().contents(of: bytes).items == items)
    let own = BinaryListWriter.bytes(of: items.map(StoredElement.item))
    #expect(try ItemFileReader().contents(of: own).items == items)
    #expect(own.count <= bytes.count * 11 / 10 + 64)
  }

  @Test func keepsTheCharactersOfWordsThatLookTheSame() throws {
    let words = ["\u{E9}", "e\u{301}"]
    let items = words.map { Item(name: "a", valueInDollars: 1, category: .unknown($0)) }

    let read = try ItemFileReader().contents(
      of: BinaryListWriter.bytes(of: items.map(StoredElement.item)))

    #expect(read.items.map { Array($0.category.rawValue.utf8) } == words.map { Array($0.utf8) })
  }

  @Test func survivesAnyChangedByte() throws {
    var item = Item(name: "Bicycle", serialNumber: "1", valueInDollars: 450)
    item.unknownValues = ["later": .list([.text("é"), .data(Data(0..<20)), .real(1)])]
    let whole = BinaryListWriter.bytes(of: [.item(item)])
    var damages = 0

    for place in whole.indices {
      for byte in stride(from: UInt8(0), through: 250, by: 10) {
        var bytes = whole
        bytes[place] = byte
        if (try? ItemFileReader().contents(of: bytes)) == nil { damages += 1 }
      }
    }

    #expect(damages > 1000)
  }

  /// A file of these objects, the first of which is the root; references are one byte each.
  private static func file(_ objects: [[UInt8]]) -> [UInt8] {
    var bytes = BinaryListReader.signature
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    func append(_ number: Int) {
      bytes += stride(from: 56, through: 0, by: -8).map { UInt8(number >> $0 & 255) }
    }
    let table = bytes.count
    for offset in offsets { append(offset) }
    bytes += [0, 0, 0, 0, 0, 0, 8, 1]
    for number in [objects.count, 0, table] { append(number) }
    return bytes
  }

  private static func text(_ text: String) -> [UInt8] {
    [0x50 | UInt8(text.utf8.count)] + text.utf8
  }

  private static func list(_ references: [UInt8]) -> [UInt8] {
    let count = (0..<4).reversed().map { UInt8(references.count >> (8 * $0) & 255) }
    return [0xAF, 0x12] + count + references
  }

  @Test func readsNoListThatStandsInItselfOrManyTimes() throws {
    // Each list holds the next one 100 times.
    let lists = (1...50).map { Self.list([UInt8](repeating: UInt8($0), count: 100)) }
    var reader = try BinaryListReader(Self.file(lists + [[0xA1, 50]]))
    let damage = #expect(throws: ListDamage.self) { try reader.root() }
    #expect(damage?.reason == "Its values lie too deep in each other.")

    let wide = (1...3).map { Self.list([UInt8](repeating: UInt8($0), count: 5000)) }
    var other = try BinaryListReader(Self.file(wide + [[0x08]]))
    let more = #expect(throws: ListDamage.self) { try other.root() }
    #expect(more?.reason == "Its values stand in each other too often.")
  }

  /// A small file must not fill the memory.
  @Test func takesRoomForNoItemThatStandsInTheListAgainAndAgain() throws {
    let item: [[UInt8]] = [
      [0xD3, 2, 3, 4, 2, 5, 6], Self.text("name"), Self.text("valueInDollars"),
      Self.text("dateCreated"), [0x10, 7], [0x33, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
    func read(_ count: Int) throws -> Int? {
      var reader = try BinaryListReader(
        Self.file([Self.list([UInt8](repeating: 1, count: count))] + item))
      return try reader.elements()?.count
    }

    #expect(try read(1000) == 1000)
    #expect(throws: ListDamage.self) { try read(300_000) }
  }

  @Test func takesRoomForOneTextThatManyItemsShare() throws {
    let long = String(repeating: "x", count: 1 << 20)
    let length: [UInt8] = [0x12, 0, 0x10, 0, 0]
    let numbers = UInt8(1)...110
    // Their keys follow them, then what they share.
    let items = numbers.map { [0xD5, 221, 222, 223, 224, 225, 226, 227, 228, 229, $0 + 110] }
    let keys = numbers.map { Self.text("\($0)") }
    let shared = [
      Self.text("name"), Self.text("valueInDollars"), Self.text("dateCreated"),
      Self.text("picture"), Self.text("itemKey"), [0x5F] + length + long.utf8, [0x10, 7],
      [0x33, 0, 0, 0, 0, 0, 0, 0, 0], [0x4F] + length + long.utf8,
    ]
    let file = Self.file([Self.list(Array(numbers))] + items + keys + shared)
    let before = ProcessMemory.allocated

    let read = try ItemFileReader().contents(of: file).items

    #expect(ProcessMemory.allocated - before < 50 << 20)
    #expect(read.map(\.itemKey) == numbers.map { "\($0)" })
    #expect(read.last?.name == long)
    #expect(read.last?.unknownValues["picture"] == .data(Data(long.utf8)))
  }
}
