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

  @Test func readsNoListThatStandsInItselfOrManyTimes() throws {
    // Each list holds the next one 100 times.
    var bytes = BinaryListReader.signature
    var offsets: [Int] = []
    for object in 0..<50 {
      offsets.append(bytes.count)
      let next = UInt8(object + 1)
      bytes += [0xAF, 0x10, 100] + [UInt8](repeating: next, count: 100)
    }
    offsets.append(bytes.count)
    bytes += [0xA1, 50]
    let table = bytes.count
    for offset in offsets { bytes += [UInt8(offset >> 8), UInt8(offset & 255)] }
    bytes += [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [51, 0, table] {
      bytes += [0, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 255)]
    }

    var reader = try BinaryListReader(bytes)

    let damage = #expect(throws: BinaryListReader.Damage.self) { try reader.root() }
    #expect(damage?.reason == "Its values lie too deep in each other.")
  }
}
