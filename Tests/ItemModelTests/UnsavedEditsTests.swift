import Foundation
import TestSupport
import Testing

@testable import ItemModel

/// What a store knows of its edits, without a copy of the list.
@Suite(.timeLimit(.minutes(1)))
struct UnsavedEditsTests {
  private static let start = (0..<8).map { Item(name: "\($0)", valueInDollars: 0).rekeyed("\($0)") }

  /// Any edits, with saves that work and saves that fail between them.
  @Test(arguments: 0..<200)
  func makeTheListOfWhatWasSaved(seed: Int) throws {
    var random = StoredSample.Generator(state: UInt64(seed))
    var state = StoreState(
      StoredItems(contents: ItemContents(items: Self.start), result: .loaded))
    var saved = Self.start
    for number in 0..<60 {
      edit(&state, number, &random)
      #expect(state.isEdited == (state.list.items != saved))
      guard random.next() % 5 == 0 else { continue }
      let list = state.list.items
      let save = state.beginSaving(isMissing: false)
      #expect(Self.applied(save.edits, to: saved) == list)
      #expect(save.contents.items == list)
      #expect(state.isEdited)
      // Others edit while the disk works.
      for _ in 0..<Int(random.next() % 3) { edit(&state, number, &random) }
      if random.next() % 2 == 0 {
        state.didSave(as: ItemVersion())
        saved = list
      } else {
        state.didNotSave()
      }
    }
    let save = state.beginSaving(isMissing: false)
    #expect(Self.applied(save.edits, to: saved) == state.list.items)
  }

  @Test func areFewWhereLittleWasEdited() throws {
    var state = StoreState(
      StoredItems(contents: ItemContents(items: Self.start), result: .loaded))
    var item = Self.start[3]
    item.name = "changed"
    _ = state.update(item)
    _ = state.insert(Item(name: "new", valueInDollars: 1), at: nil)
    let first = state.beginSaving(isMissing: false).edits
    #expect(first.updated == [item])
    #expect(first.placed.map(\.item.name) == ["new"])
    #expect(first.placed.map(\.predecessor) == ["7"])
    state.didSave(as: ItemVersion())
    #expect(!state.isEdited)

    _ = state.move("0", to: 4)
    _ = state.remove("6")
    let second = state.beginSaving(isMissing: false).edits
    #expect(second.placed.map(\.item.itemKey) == ["0"])
    #expect(second.placed.map(\.isNew) == [false])
    #expect(second.removed == ["6"])
    #expect(second.updated == [])
    state.didSave(as: ItemVersion())

    #expect(state.beginSaving(isMissing: true).edits.placed.count == state.list.items.count)
  }

  private func edit(
    _ state: inout StoreState, _ number: Int, _ random: inout StoredSample.Generator
  ) {
    let items = state.list.items
    let place = Int(random.next() % UInt64(items.count + 1))
    guard let item = items.randomElement(using: &random), random.next() % 3 > 0 else {
      _ = state.insert(
        Item(name: "\(number)", valueInDollars: 1), at: random.next() % 4 == 0 ? place : nil)
      return
    }
    switch random.next() % 12 {
    case 0: _ = state.remove(item.itemKey)
    case 1: _ = state.move(item.itemKey, to: place)
    case 2: _ = state.undoRemoval()
    case 3...5:
      // Back to what it was.
      if let old = Self.start.first(where: { $0.itemKey == item.itemKey }) { _ = state.update(old) }
    default:
      var item = item
      item.valueInDollars = number
      _ = state.update(item)
    }
  }

  /// What a storage does with edits.
  private static func applied(_ edits: ItemEdits, to items: [Item]) -> [Item] {
    var items = items
    items.removeAll { edits.removed.contains($0.itemKey) }
    for item in edits.updated {
      if let index = items.firstIndex(where: { $0.itemKey == item.itemKey }) { items[index] = item }
    }
    for placed in edits.placed {
      items.removeAll { $0.itemKey == placed.item.itemKey }
      let index = items.firstIndex { $0.itemKey == placed.predecessor }
      items.insert(placed.item, at: index.map { $0 + 1 } ?? 0)
    }
    return items
  }
}
