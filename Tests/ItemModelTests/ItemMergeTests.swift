import Foundation
import TestSupport
import Testing

@testable import ItemModel

/// Two lists that were made of one.
@Suite(.timeLimit(.minutes(1)))
struct ItemMergeTests {
  private let base = (0..<4).map { number in
    Item(
      name: "\(number)", valueInDollars: number, serialNumber: nil,
      dateCreated: Date(timeIntervalSinceReferenceDate: 0), category: .other,
      itemKey: "\(number)", unknownValues: [:])
  }

  private func item(_ key: Int, _ change: (inout Item) -> Void) -> Item {
    var item = base[key]
    change(&item)
    return item
  }

  private func new(_ key: String) -> Item { base[0].rekeyed(key) }

  private func merge(
    _ mine: [Item], _ theirs: [Item]
  ) -> (items: [Item], conflicts: [ItemConflict]) {
    ItemMerge.merge(base: base, mine: mine, theirs: theirs)
  }

  @Test func takesTheChangesOfBoth() {
    let mine = item(0) { $0.name = "mine" }
    let theirs = item(2) { $0.name = "theirs" }

    let merged = merge(
      [mine, base[1], base[2], new("a")], [base[0], theirs, base[3], new("b")])

    // They have removed 1, this store 3.
    #expect(merged.items.map(\.itemKey) == ["0", "2", "b", "a"])
    #expect(merged.items[0] == mine)
    #expect(merged.items[1] == theirs)
    #expect(merged.conflicts == [])
  }

  @Test func takesValuesOfOneItemFromBoth() {
    let mine = item(1) {
      $0.valueInDollars = 10
      $0.unknownValues = ["later": .bool(true)]
    }
    let theirs = item(1) {
      $0.serialNumber = "B"
      $0.category = .book
    }

    let merged = merge([mine], [theirs])

    #expect(merged.items.count == 1)
    #expect(merged.items[0].valueInDollars == 10)
    #expect(merged.items[0].serialNumber == "B")
    #expect(merged.items[0].category == .book)
    #expect(merged.items[0].unknownValues == ["later": .bool(true)])
    #expect(merged.conflicts == [])
  }

  @Test func keepsBothWhereTheSameValueWasChanged() throws {
    let mine = item(1) { $0.name = "mine" }
    let theirs = item(1) { $0.name = "theirs" }

    let merged = merge([base[0], mine], [base[0], theirs])

    let copyKey = try #require(merged.conflicts.first?.copyKey)
    #expect(merged.conflicts == [ItemConflict(key: "1", copyKey: copyKey)])
    #expect(merged.items == [base[0], theirs, mine.rekeyed(copyKey)])
  }

  @Test func keepsWhatOneHasRemovedAndTheOtherChanged() {
    let changed = item(1) { $0.name = "changed" }

    for merged in [merge([base[0]], [base[0], changed]), merge([base[0], changed], [base[0]])] {
      #expect(merged.items == [base[0], changed])
      #expect(merged.conflicts == [ItemConflict(key: "1", copyKey: nil)])
    }
  }

  @Test func takesTheOrderOfWhoHasMoved() {
    let turned = [base[3], base[2], base[1], base[0]]

    #expect(merge(turned, base + [new("b")]).items.map(\.itemKey) == ["3", "b", "2", "1", "0"])
    #expect(merge(base + [new("a")], turned).items.map(\.itemKey) == ["3", "a", "2", "1", "0"])
  }

  /// Whatever two have done to different items, all of it is there afterwards.
  @Test(arguments: 0..<200)
  func losesNothingOfAnyEdits(seed: Int) {
    var random = StoredSample.Generator(state: UInt64(seed))
    let base = (0..<12).map { self.base[0].rekeyed("\($0)") }
    func edited(_ items: [Item], _ mayTouch: (Int) -> Bool) -> [Item] {
      var result: [Item] = []
      for (number, item) in items.enumerated() {
        var item = item
        switch random.next() % 5 {
        case 0 where mayTouch(number): continue
        case 1 where mayTouch(number): item.name += "!"
        case 2: result.append(Item(name: "new", valueInDollars: 1))
        default: break
        }
        result.insert(item, at: random.next() % 4 == 0 ? 0 : result.count)
      }
      return result
    }
    let mine = edited(base) { $0 % 2 == 0 }
    let theirs = edited(base) { $0 % 2 == 1 }

    let merged = ItemMerge.merge(base: base, mine: mine, theirs: theirs)

    let old = Set(base)
    let expected = Set(mine).symmetricDifference(old).subtracting(old)
      .union(Set(theirs).subtracting(old)).union(Set(mine).intersection(theirs))
    #expect(Set(merged.items) == expected)
    #expect(merged.items.count == expected.count)
    #expect(merged.conflicts == [])
    #expect(
      ItemMerge.merge(base: base, mine: theirs, theirs: mine).items.count == merged.items.count)
  }
}
