import Foundation
import Testing

@testable import ItemModel

@Suite(.timeLimit(.minutes(1)))
struct ItemTests {
  private func decode(_ values: [String: Any]) throws -> Item {
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: values, format: .binary, options: 0)
    return try PropertyListDecoder().decode(Item.self, from: bytes)
  }

  private func values(of item: Item) throws -> [String: Any] {
    let bytes = try PropertyListEncoder().encode(item)
    let root = try PropertyListSerialization.propertyList(from: bytes, format: nil)
    return try #require(root as? [String: Any])
  }

  private let complete: [String: Any] = [
    "name": "Bicycle", "valueInDollars": 450, "serialNumber": "A1", "category": "book",
    "dateCreated": Date(timeIntervalSinceReferenceDate: 12.5), "itemKey": "the key",
  ]

  @Test func beginsWithAKeyOfItsOwnAndToday() {
    let before = Date()
    let items = (0..<100).map { _ in Item(name: "Bicycle", valueInDollars: 450) }

    #expect(Set(items.map(\.itemKey)).count == 100)
    #expect(items.allSatisfy { UUID(uuidString: $0.itemKey) != nil && $0.id == $0.itemKey })
    #expect(items.allSatisfy { (before...Date()).contains($0.dateCreated) })
    #expect(items[0].category == .other)
    #expect(items[0].serialNumber == nil)
  }

  @Test func writesEachPropertyUnderItsName() throws {
    let item = Item(name: "Camera", serialNumber: "42", valueInDollars: 7, category: .electronics)

    let values = try values(of: item)

    #expect(values.count == 6)
    #expect(values["name"] as? String == "Camera")
    #expect(values["valueInDollars"] as? Int == 7)
    #expect(values["serialNumber"] as? String == "42")
    #expect(values["dateCreated"] as? Date == item.dateCreated)
    #expect(values["category"] as? String == "electronics")
    #expect(values["itemKey"] as? String == item.itemKey)
  }

  @Test func writesNothingForNoSerialNumber() throws {
    let values = try values(of: Item(name: "Camera", valueInDollars: 7))

    #expect(
      values.keys.sorted() == ["category", "dateCreated", "itemKey", "name", "valueInDollars"])
  }

  @Test func readsEachProperty() throws {
    let item = try decode(complete)

    #expect(item.name == "Bicycle")
    #expect(item.valueInDollars == 450)
    #expect(item.serialNumber == "A1")
    #expect(item.category == .book)
    #expect(item.dateCreated == Date(timeIntervalSinceReferenceDate: 12.5))
    #expect(item.itemKey == "the key")
  }

  @Test func readsAMissingSerialNumberAndPropertyListsNullAsNone() throws {
    var values = complete

    values["serialNumber"] = "$null"
    #expect(try decode(values).serialNumber == nil)

    values["serialNumber"] = nil
    #expect(try decode(values).serialNumber == nil)
  }

  @Test(arguments: ["null", #""$null""#])
  func readsNullInJSONAsNoSerialNumber(null: String) throws {
    let text = #"{"name": "a", "valueInDollars": 1, "dateCreated": 0, "serialNumber": \#(null)}"#

    #expect(try JSONDecoder().decode(Item.self, from: Data(text.utf8)).serialNumber == nil)
  }

  @Test func readsAFileFromBeforeKeysAndCategories() throws {
    var values = complete
    values["itemKey"] = nil
    values["category"] = nil

    let (one, two) = (try decode(values), try decode(values))

    #expect(one.category == .other)
    #expect(UUID(uuidString: one.itemKey) != nil)
    #expect(one.itemKey != two.itemKey)
  }

  @Test(arguments: ["name", "valueInDollars", "dateCreated"])
  func refusesAnItemWithoutItsEssentials(name: String) {
    var values = complete
    values[name] = nil

    #expect(throws: DecodingError.self) { try decode(values) }
  }

  @Test(arguments: ["name", "valueInDollars", "serialNumber", "dateCreated", "category", "itemKey"])
  func refusesAValueOfAnotherType(name: String) {
    var values = complete
    values[name] = [1]

    #expect(throws: DecodingError.self) { try decode(values) }
  }

  @Test func carriesAnyNameThroughAPropertyList() throws {
    let names = ["", "a\0b", "\u{1}\u{FFFE}\r\n ", "👩‍👩‍👧", "e\u{301}", "<&>", "$null"]
    for (number, name) in names.enumerated() {
      let item = Item(name: name, valueInDollars: .min)

      let copy = try PropertyListDecoder().decode(
        Item.self, from: PropertyListEncoder().encode(item))

      #expect(copy == item, "name \(number)")
      #expect(Array(copy.name.utf8) == Array(name.utf8), "name \(number)")
    }
  }
}
