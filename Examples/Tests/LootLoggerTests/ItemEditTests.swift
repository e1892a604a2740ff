import Foundation
import ItemModel
import Testing

@testable import lootlogger

@Suite(.timeLimit(.minutes(1)))
struct ItemEditTests {
  private func values(_ json: String) throws -> ItemEdit.Values {
    try JSONDecoder().decode(ItemEdit.Values.self, from: Data(json.utf8))
  }

  @Test func changesWhatIsMeantAlone() throws {
    var item = Item(name: "Coat", serialNumber: "1", valueInDollars: 80, category: .clothing)

    try values(#"{"name":"Jacket"}"#).apply(to: &item)

    #expect(item.name == "Jacket")
    #expect(item.serialNumber == "1")
    #expect(item.valueInDollars == 80)
    #expect(item.category == .clothing)
  }

  @Test func takesAnEmptySerialNumberForNone() throws {
    var item = Item(name: "Coat", serialNumber: "1", valueInDollars: 80)

    try values(#"{"serial":""}"#).apply(to: &item)

    #expect(item.serialNumber == nil)
    #expect(try values(#"{"serial":""}"#).match(item))
    #expect(try !values(#"{"serial":"1"}"#).match(item))
  }

  @Test func keepsACategoryThatANewerVersionHasWritten() throws {
    var item = Item(name: "Piano", valueInDollars: 1, category: Category(rawValue: "instrument"))

    try values(#"{"category":"other","name":"Grand"}"#).apply(to: &item)
    #expect(item.category.rawValue == "instrument")
    try values(#"{"category":"book"}"#).apply(to: &item)

    #expect(item.category == .book)
  }

  @Test(arguments: [
    #"{"category":"weapons"}"#, #"{"value":9007199254740992}"#, #"{"value":-9007199254740992}"#,
  ])
  func refusesWhatNoItemHas(_ json: String) throws {
    #expect(try values(json).objection != nil)
  }

  @Test func refusesLongTexts() throws {
    let long = String(repeating: "é", count: 1001)

    #expect(try values(#"{"name":"\#(long)"}"#).objection != nil)
    #expect(try values(#"{"serial":"\#(long)"}"#).objection != nil)
    #expect(try values(#"{"name":"\#(long.dropLast())"}"#).objection == nil)
  }

  @Test(arguments: ["", "[]", #"{"value":"1"}"#, #"{"value":1.5}"#, #"{"name":1}"#])
  func doesNotUnderstandOtherTypes(_ json: String) {
    #expect(throws: DecodingError.self) { try values(json) }
  }
}
