import Foundation
import Testing

@testable import ItemModel

@Suite(.timeLimit(.minutes(1)))
struct ItemQueryTests {
  private let items: [Item] = [
    ("Émile", 30, ItemModel.Category.book, 3), ("bicycle 10", 10, .other, 1),
    ("bicycle 9", 20, .unknown("lent"), 2), ("Camera", 10, .electronics, 0),
  ].map { name, value, category, day in
    Item(
      name: name, valueInDollars: value, serialNumber: nil,
      dateCreated: Date(timeIntervalSinceReferenceDate: Double(day) * 86_400), category: category,
      itemKey: name, unknownValues: [:])
  }

  private func names(_ query: ItemQuery) -> [String] { query.items(of: items).map(\.name) }

  @Test func findsNames() {
    #expect(names(ItemQuery(name: "emil")) == ["Émile"])
    #expect(names(ItemQuery(name: "BICYCLE")) == ["bicycle 10", "bicycle 9"])
    #expect(names(ItemQuery(name: "")).count == 4)
    #expect(names(ItemQuery(name: "nothing")) == [])
  }

  @Test func findsValuesDatesAndCategories() {
    #expect(names(ItemQuery(values: 11...29)) == ["bicycle 9"])
    #expect(names(ItemQuery(categories: [.other])) == ["bicycle 10", "bicycle 9"])
    let firstDays =
      Date(
        timeIntervalSinceReferenceDate: 0)...Date(
        timeIntervalSinceReferenceDate: 90_000)
    #expect(names(ItemQuery(dates: firstDays)) == ["bicycle 10", "Camera"])
  }

  @Test func sortsAndKeepsTheOrderOfEqualOnes() {
    #expect(
      names(ItemQuery(order: .name)) == ["bicycle 9", "bicycle 10", "Camera", "Émile"])
    #expect(
      names(ItemQuery(order: .value)) == ["bicycle 10", "Camera", "bicycle 9", "Émile"])
    #expect(
      names(ItemQuery(order: .value, isDescending: true))
        == ["Émile", "bicycle 9", "bicycle 10", "Camera"])
    #expect(names(ItemQuery(order: .date))[0] == "Camera")
    #expect(
      names(ItemQuery(order: .category)) == ["Camera", "Émile", "bicycle 10", "bicycle 9"])
    #expect(names(ItemQuery(isDescending: true))[0] == "Camera")
  }

  @Test func addsUpWithinTheBoundsOfANumber() {
    let totals = ItemTotals(of: items)

    #expect(totals.count == 4)
    #expect(totals.valueInDollars == 70)
    #expect(totals.valueByCategory == [.book: 30, .other: 30, .electronics: 10])
    let rich = [Item(name: "a", valueInDollars: .max), Item(name: "b", valueInDollars: 1)]
    #expect(ItemTotals(of: rich).valueInDollars == .max)
  }

  @Test func addsUpWhatIsTooMuchOnTheWay() {
    let items = [Int.max, 2, -3].map { Item(name: "a", valueInDollars: $0, category: .book) }

    #expect(ItemTotals(of: items).valueInDollars == .max - 1)
    #expect(ItemTotals(of: items).valueByCategory == [.book: .max - 1])
    #expect(ItemTotals(of: items.prefix(2)).valueInDollars == .max)
    #expect(ItemTotals(of: items) != ItemTotals(of: items.prefix(2)))
  }
}
