import Foundation
import ItemModel
import SQLiteAccess

/// A row of the table.
enum ItemRow {
  case item(Item)
  /// What is no item, and why; a sentence.
  case raw(ItemValue, reason: String)

  /// What ``init(_:)`` reads, in its order.
  static let columns =
    "itemKey, name, valueInDollars, serialNumber, dateCreated, category, unknownValues, raw"

  /// Reads the row that a statement stands at.
  init(_ row: SQLiteStatement) {
    guard row.isNull(7) else {
      let value = row.bytes(7).flatMap { ItemValue(listBytes: $0) }
      self = .raw(value ?? .data(Data(row.bytes(7) ?? [])), reason: Self.reason(for: value))
      return
    }
    let date = row.real(4)
    var unknown: [String: ItemValue]? = [:]
    if let bytes = row.bytes(6) {
      unknown = nil
      if case .fields(let fields)? = ItemValue(listBytes: bytes) { unknown = fields }
    }
    guard let unknown, date.isFinite else {
      self = .raw(
        Self.fields(of: row),
        reason: date.isFinite
          ? "Its unknownValues are damaged." : "Its dateCreated is no date.")
      return
    }
    self = .item(
      Item(
        name: row.text(1) ?? "", valueInDollars: Int(row.integer(2)), serialNumber: row.text(3),
        dateCreated: Date(timeIntervalSinceReferenceDate: date),
        category: Category(rawValue: row.text(5) ?? ""), itemKey: row.text(0) ?? "",
        unknownValues: unknown))
  }

  private static func reason(for value: ItemValue?) -> String {
    value?.defect ?? "It is no property list."
  }

  /// The columns as they are.
  static func fields(of row: SQLiteStatement) -> ItemValue {
    var fields: [String: ItemValue] = [
      "itemKey": .text(row.text(0) ?? ""), "name": .text(row.text(1) ?? ""),
      "valueInDollars": .integer(row.integer(2)), "dateCreated": .real(row.real(4)),
      "category": .text(row.text(5) ?? ""),
    ]
    fields["serialNumber"] = row.text(3).map { .text($0) }
    fields["unknownValues"] = row.bytes(6).map { .data(Data($0)) }
    return .fields(fields)
  }
}

extension SQLiteStatement {
  /// Binds an item's values in the order of ``ItemRow/columns``, without `raw`, from 1 to 7.
  func bind(_ item: Item) throws(SQLiteFailure) {
    try bind(item.itemKey, at: 1)
    try bind(item.name, at: 2)
    try bind(Int64(item.valueInDollars), at: 3)
    try bind(item.serialNumber, at: 4)
    try bind(item.dateCreated.timeIntervalSinceReferenceDate, at: 5)
    try bind(item.category.rawValue, at: 6)
    let unknown = item.unknownValues
    try bind(unknown.isEmpty ? nil : ItemValue.fields(unknown).listBytes, at: 7)
  }
}
