import Foundation

/// The values of one item as they stand in a file, on their way to an ``Item``.
///
/// What ``Item`` reads through `Decoder`, without one: a list of thousands is read in a fraction of
/// the time, and a value keeps the type that it has in the file.
struct ItemFields: Sendable {
  private var name: ItemValue?
  private var valueInDollars: ItemValue?
  private var serialNumber: ItemValue?
  private var dateCreated: ItemValue?
  private var category: ItemValue?
  private var itemKey: ItemValue?
  private var unknown: [String: ItemValue] = [:]

  init() {}

  init(_ values: [String: ItemValue]) {
    for (name, value) in values {
      if let key = Item.CodingKeys(stringValue: name) {
        set(key, to: value)
      } else {
        set(unknown: name, to: value)
      }
    }
  }

  mutating func set(_ key: Item.CodingKeys, to value: ItemValue) {
    switch key {
    case .name: name = value
    case .valueInDollars: valueInDollars = value
    case .serialNumber: serialNumber = value
    case .dateCreated: dateCreated = value
    case .category: category = value
    case .itemKey: itemKey = value
    }
  }

  mutating func set(unknown name: String, to value: ItemValue) { unknown[name] = value }

  /// Why the values are no item; a sentence.
  struct Defect: Error, Hashable, Sendable {
    var reason: String

    fileprivate init(_ value: ItemValue?, _ key: Item.CodingKeys, isNo type: String) {
      reason =
        value == nil
        ? "It has no \(key.stringValue)." : "Its \(key.stringValue) is no \(type)."
    }
  }

  /// The item, by the rules of `Item.init(from:)`.
  ///
  /// - Parameter dates: How dates are written; nil for a file in which they are dates.
  /// - Returns: The item, with an empty key where it has none.
  /// - Throws: ``Defect``, for the first value that is missing or of another type.
  func item(dates: ItemDates?) throws(Defect) -> Item {
    guard case .text(let name)? = name else { throw Defect(name, .name, isNo: "text") }
    guard let dollars = valueInDollars?.exactInteger else {
      throw Defect(valueInDollars, .valueInDollars, isNo: "whole number")
    }
    guard let date = dateCreated.flatMap({ ItemDates.date(of: $0, written: dates) }),
      date.timeIntervalSinceReferenceDate.isFinite
    else { throw Defect(dateCreated, .dateCreated, isNo: "date") }
    let serialNumber = try text(serialNumber, .serialNumber)
    let category = try text(category, .category)
    return Item(
      name: name, valueInDollars: dollars, serialNumber: serialNumber, dateCreated: date,
      category: category.map(Category.init(rawValue:)) ?? .other,
      itemKey: try text(itemKey, .itemKey) ?? "", unknownValues: unknown)
  }

  /// nil for what is missing, null, or the word that property lists have for null.
  private func text(
    _ value: ItemValue?, _ key: Item.CodingKeys
  ) throws(Defect) -> String? {
    switch value {
    case nil, .null?, .text("$null")?: nil
    case .text(let text)?: text
    default: throw Defect(value, key, isNo: "text")
    }
  }
}

extension ItemValue {
  fileprivate var exactInteger: Int? {
    switch self {
    case .integer(let number): Int(exactly: number)
    case .real(let number): Int(exactly: number)
    default: nil
    }
  }
}
