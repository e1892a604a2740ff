/// An element of the list in a file.
enum StoredElement: Hashable, Sendable {
  case item(Item)
  /// A dictionary that is no item, and why.
  case defective(ItemValue, ItemFields.Defect)
  /// Neither an item nor a dictionary.
  case value(ItemValue)

  /// Takes dates as they are written, or only those of the type date where that is nil.
  init(_ value: ItemValue, dates: ItemDates?) {
    guard case .fields(let fields) = value else {
      self = .value(value)
      return
    }
    do throws(ItemFields.Defect) {
      self = .item(try ItemFields(fields).item(dates: dates))
    } catch {
      self = .defective(value, error)
    }
  }
}

/// What a file holds: items, and between them what cannot be read.
package struct ItemContents: Hashable, Sendable {
  package var items: [Item] = []
  package var unreadable: [UnreadableItem] = []

  package init(items: [Item] = [], unreadable: [UnreadableItem] = []) {
    self.items = items
    self.unreadable = unreadable
  }

  /// - Returns: nil where there are elements, and none of them could ever have been an item.
  init?(_ elements: [StoredElement]) {
    var isList = elements.isEmpty
    var keys = DistinctKeys()
    items.reserveCapacity(elements.count)
    for (position, element) in elements.enumerated() {
      switch element {
      case .item(let item): items.append(keys.distinct(item))
      case .defective(let value, let defect):
        unreadable.append(
          UnreadableItem(position: position, value: value, reason: defect.reason))
      case .value(let value):
        unreadable.append(
          UnreadableItem(position: position, value: value, reason: "It is no dictionary."))
        continue
      }
      isList = true
    }
    if !isList { return nil }
  }

  /// Goes through the list as it is to be written: what cannot be read stands where it stood.
  package func forEach<Failure: Error>(
    item: (Item) throws(Failure) -> Void, unreadable: (ItemValue) throws(Failure) -> Void
  ) throws(Failure) {
    for element in elements {
      switch element {
      case .item(let value): try item(value)
      case .value(let value), .defective(let value, _): try unreadable(value)
      }
    }
  }

  /// The list to write: what cannot be read stands where it stood.
  var elements: [StoredElement] {
    guard !unreadable.isEmpty else { return items.map(StoredElement.item) }
    var elements: [StoredElement] = []
    var rest = unreadable[...]
    for item in items {
      while let next = rest.first, next.position <= elements.count {
        elements.append(.value(next.value))
        rest.removeFirst()
      }
      elements.append(.item(item))
    }
    return elements + rest.map { .value($0.value) }
  }
}
