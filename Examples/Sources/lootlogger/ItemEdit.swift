import Foundation
import ItemModel

/// What a page wants of an item: some of its values, and what it believes they were.
struct ItemEdit: Sendable, Decodable {
  /// Values; those that are missing are not meant.
  struct Values: Hashable, Sendable, Codable {
    var name: String?
    var serial: String?
    var value: Int?
    var category: String?
  }

  /// The most characters of a text.
  static let maximumLength = 1000
  /// The largest number that a page's script counts exactly to.
  static let values = -9_007_199_254_740_991...9_007_199_254_740_991

  let was: Values?
  let set: Values
}

extension ItemEdit.Values {
  /// Why these values cannot be an item's; nil where they can.
  var objection: String? {
    for text in [name, serial] {
      guard (text ?? "").count <= ItemEdit.maximumLength else {
        return "That text is too long: \(ItemEdit.maximumLength) characters are the most."
      }
    }
    guard value.map(ItemEdit.values.contains) ?? true else {
      return "That value is too large to be counted."
    }
    guard category.map({ Category.allCases.contains(Category(rawValue: $0)) }) ?? true else {
      return "There is no such category."
    }
    return nil
  }

  /// Whether an item has these values.
  func match(_ item: Item) -> Bool {
    (name == nil || name == item.name)
      && (serial == nil || serial == item.serialNumber ?? "")
      && (value == nil || value == item.valueInDollars)
      && (category == nil || category == item.category.displayed.rawValue)
  }

  /// Gives an item these values.
  func apply(to item: inout Item) {
    if let name { item.name = name }
    if let serial { item.serialNumber = serial.isEmpty ? nil : serial }
    if let value { item.valueInDollars = value }
    // What a newer version calls the item is kept while nobody chooses something else.
    if let category, category != item.category.displayed.rawValue {
      item.category = Category(rawValue: category)
    }
  }
}
