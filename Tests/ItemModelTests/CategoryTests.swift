import Foundation
import ItemModel
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CategoryTests {
  @Test(arguments: zip(Category.allCases, ["electronics", "clothing", "book", "other"]))
  func hasAWordInFiles(category: ItemModel.Category, word: String) throws {
    let written = try JSONEncoder().encode([category])

    #expect(String(decoding: written, as: UTF8.self) == "[\"\(word)\"]")
    #expect(try JSONDecoder().decode([ItemModel.Category].self, from: written) == [category])
    #expect(category.displayed == category)
  }

  @Test(arguments: ["furniture", "", "Book", "book "])
  func keepsAnUnknownWordAndShowsItAsOther(word: String) throws {
    let category = try JSONDecoder().decode(
      [ItemModel.Category].self, from: JSONEncoder().encode([word]))[0]

    #expect(category == .unknown(word))
    #expect(category.displayed == .other)
    #expect(
      try JSONDecoder().decode([String].self, from: JSONEncoder().encode([category])) == [word])
  }

  @Test func isTheSameHoweverItWasMade() {
    #expect(Category.unknown("book") == .book)
    #expect(Category.unknown("book").displayed == .book)
    #expect(Set([Category.unknown("book"), .book]).count == 1)
  }
}
