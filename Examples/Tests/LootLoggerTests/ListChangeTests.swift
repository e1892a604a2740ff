import ItemModel
import Testing

@testable import lootlogger

@Suite(.timeLimit(.minutes(1)))
struct ListChangeTests {
  private func row(_ name: String, _ value: Int = 0) -> ItemRow {
    ItemRow(
      key: name, name: name, serial: "", value: value, date: 0, category: "other", photo: nil)
  }

  private func rows(_ names: String) -> [ItemRow] { names.map { row(String($0)) } }

  /// What a page does.
  private func applied(_ change: ListChange, to old: [ItemRow]) -> [ItemRow] {
    let gone = Set(change.removed + change.placed.map(\.item.key))
    var rows = old.filter { !gone.contains($0.key) }
    for place in change.placed { rows.insert(place.item, at: min(place.index, rows.count)) }
    for item in change.updated {
      if let index = rows.firstIndex(where: { $0.key == item.key }) { rows[index] = item }
    }
    guard let order = change.order else { return rows }
    return order.compactMap { key in rows.first { $0.key == key } }
  }

  @Test func isNothingForTheSameList() {
    #expect(ListChange(from: rows("abc"), to: rows("abc")) == nil)
    #expect(ListChange(from: [], to: []) == nil)
  }

  @Test func tellsOfOneMoveByOnePlace() throws {
    let change = try #require(ListChange(from: rows("abcdef"), to: rows("acdebf")))

    #expect(change.placed.map(\.index) == [4])
    #expect(change.order == nil)
  }

  @Test(arguments: [
    ("abc", "abcd"), ("abc", "xabc"), ("abc", "axbyc"), ("abc", ""), ("", "abc"), ("abcd", "bd"),
    ("abcdef", "abfcde"), ("abcdef", "fedcba"), ("abcd", "badc"), ("abcdef", "xfbay"),
  ])
  func makesOneListOfTheOther(_ old: String, _ new: String) throws {
    let change = try #require(ListChange(from: rows(old), to: rows(new)))

    #expect(applied(change, to: rows(old)) == rows(new))
  }

  @Test func makesOneListOfTheOtherWhateverTheyAre() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      func list() -> [ItemRow] {
        "abcdefgh".filter { _ in Bool.random(using: &generator) }.shuffled(using: &generator)
          .map { row(String($0), Int.random(in: 0...2, using: &generator)) }
      }
      let (old, new) = (list(), list())
      guard let change = ListChange(from: old, to: new) else {
        #expect(old == new)
        continue
      }
      #expect(applied(change, to: old) == new)
    }
  }
}
