import Foundation
import Testing

@testable import ItemModel

@Suite(.timeLimit(.minutes(1)))
struct ItemChangesTests {
  private let items = (0..<6).map { Item(name: "\($0)", valueInDollars: $0) }
  private func keys(_ numbers: Int...) -> Set<String> { Set(numbers.map { items[$0].itemKey }) }

  @Test func areTheDifferenceOfTwoLists() {
    var changed = items[1]
    changed.name = "changed"

    let changes = ItemChanges(
      from: [items[0], items[1], items[2]], to: [items[3], changed, items[0]])

    #expect(changes.inserted == keys(3))
    #expect(changes.updated == keys(1))
    #expect(changes.removed == keys(2))
    #expect(changes.moved.count == 1)
    #expect(ItemChanges(from: items, to: items).isEmpty)
  }

  @Test func nameAsFewMovedItemsAsThereAre() {
    let order = [5, 0, 1, 2, 3, 4].map { items[$0] }

    #expect(ItemChanges(from: items, to: order).moved == keys(5))
    #expect(ItemChanges(from: order, to: items).moved == keys(5))
  }

  @Test func addUpToOneStep() {
    func changes(
      inserted: Set<String> = [], updated: Set<String> = [], removed: Set<String> = []
    ) -> ItemChanges {
      var changes = ItemChanges()
      (changes.inserted, changes.updated, changes.removed) = (inserted, updated, removed)
      return changes
    }
    var sum = ItemChanges()

    sum.add(changes(inserted: ["a", "b"], updated: ["x", "y"]))
    sum.add(changes(updated: ["a"], removed: ["b", "x", "z"]))
    sum.add(changes(inserted: ["z"]))

    #expect(sum.inserted == ["a"])
    #expect(sum.updated == ["y", "z"])
    #expect(sum.removed == ["x"])
  }

  @Test func tellNoMoreConflictsThanThereAreItems() {
    func changes(_ conflicts: [ItemConflict], removed: Set<String> = []) -> ItemChanges {
      var changes = ItemChanges()
      (changes.conflicts, changes.removed) = (conflicts, removed)
      return changes
    }
    let (kept, again) = (ItemConflict(key: "a", copyKey: "b"), ItemConflict(key: "c", copyKey: nil))
    var sum = ItemChanges()

    sum.add(changes([kept, again, ItemConflict(key: "d", copyKey: nil)]))
    for number in 0..<1000 {
      sum.add(changes([again, ItemConflict(key: "a", copyKey: "copy \(number)")]))
      sum.add(changes([], removed: ["copy \(number)", "d"]))
    }

    #expect(sum.conflicts == [kept, again])
  }
}
