/// A list that is to be published, and how it differs from what was found.
package struct ItemSave: Sendable {
  let list: ItemList
  let unreadable: [UnreadableItem]
  let unsaved: UnsavedEdits

  /// The whole list.
  package var contents: ItemContents {
    ItemContents(items: list.items, unreadable: unreadable)
  }

  /// What makes the list of what was found; little where little was edited.
  package var edits: ItemEdits { unsaved.edits(to: list.items) }
}

/// What has to be done to a stored list.
package struct ItemEdits: Sendable {
  /// The keys of items that go.
  package var removed: [String] = []
  /// Items that come or stand elsewhere, in the order of the list.
  package var placed: [Placed] = []
  /// Items with other values, where they stood.
  package var updated: [Item] = []

  package struct Placed: Sendable {
    package var item: Item
    /// The key of the item before it; nil for the first one.
    package var predecessor: String?
    package var isNew: Bool
  }
}
