public import Foundation

/// Reads and writes lists of items for other programs.
///
/// ```swift
/// try Data(ItemExchange.csv(store.allItems).utf8).write(to: tableURL)
/// let table = try ItemExchange.items(csv: Data(contentsOf: tableURL))
/// store.importItems(table.items, where: .replace)
/// ```
///
/// All functions are pure and may be called from any thread.
public enum ItemExchange {
  // MARK: - JSON

  /// A JSON array of items, with the keys of ``Item`` and the values of newer versions.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - dates: How to write dates. ISO 8601, the default, keeps nanoseconds, as do the others.
  /// - Returns: The text as UTF-8, with sorted keys.
  /// - Throws: ``ItemStoreError`` where a value cannot be written.
  public static func json(
    _ items: [Item], dates: ItemDates = .iso8601
  ) throws(ItemStoreError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // A number that is none would make the whole list unsavable.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    encoder.dateEncodingStrategy =
      switch dates {
      case .deferredToDate: .deferredToDate
      case .secondsSince1970: .secondsSince1970
      case .millisecondsSince1970: .millisecondsSince1970
      // Foundation's own drops fractions of a second.
      case .iso8601:
        .custom { date, encoder in
          var container = encoder.singleValueContainer()
          try container.encode(ISODate.text(date))
        }
      }
    do {
      return try encoder.encode(items)
    } catch {
      throw ItemStoreError(.failed, "The items could not be written as JSON: \(error)")
    }
  }

  /// Reads a JSON array of items, or a property list.
  ///
  /// - Parameters:
  ///   - data: The file's bytes.
  ///   - dates: How its dates are written; nil to tell it by the rule of ``ItemDates``.
  /// - Returns: The items, and what is none.
  /// - Throws: ``ItemStoreError`` with ``ItemStoreError/Code/damaged`` or
  ///   ``ItemStoreError/Code/unclearDates``.
  public static func items(
    json data: Data, dates: ItemDates? = nil
  ) throws(ItemStoreError) -> ItemImport {
    do throws(ItemFileReader.Failure) {
      let contents = try ItemFileReader(dates: dates).contents(of: Array(data))
      let problems = contents.unreadable.map {
        ItemImport.Problem(place: $0.position + 1, reason: $0.reason)
      }
      return ItemImport(items: contents.items, problems: problems)
    } catch {
      switch error {
      case .unreadable(let sentence):
        throw ItemStoreError(.damaged, "The items could not be read: \(sentence)")
      case .unclearDates(let sentence):
        throw ItemStoreError(.unclearDates, "The items could not be read: \(sentence)")
      }
    }
  }

  // MARK: - CSV

  /// A table by RFC 4180: a line of names, and a line for each item with its six values.
  ///
  /// What a spreadsheet would take for a formula has an apostrophe before it, which reading takes
  /// away. Dates are ISO 8601 in UTC. Values of newer versions have no column.
  ///
  /// - Parameter items: The items.
  /// - Returns: The text; write it as UTF-8.
  public static func csv(_ items: [Item]) -> String {
    let names = columns.map { CSVText.Field(text: $0.stringValue) }
    return CSVText.text(of: [names] + items.map { item in columns.map { field(item, $0) } })
  }

  /// Reads a table whose first line has the names of ``Item``'s keys, in any order.
  ///
  /// Needed are `name` and `valueInDollars`; without a date the item is made now, without a key it
  /// gets one. Fields may be separated by commas, semicolons or tabs.
  ///
  /// - Parameter data: UTF-8, also with a byte order mark.
  /// - Returns: The items, and the lines that are none.
  /// - Throws: ``ItemStoreError`` with ``ItemStoreError/Code/damaged`` where the first line names
  ///   no `name` or no `valueInDollars`, or the bytes are no UTF-8.
  public static func items(csv data: Data) throws(ItemStoreError) -> ItemImport {
    guard let text = String(validating: data, as: UTF8.self) else {
      throw ItemStoreError(.damaged, "The table is no UTF-8; save it as “CSV UTF-8”")
    }
    let records = CSVText.records(of: text, withField: Item.CodingKeys.name.stringValue)
    let names = (records.first?.fields ?? []).map { $0.text.trimmingCharacters(in: .whitespaces) }
    for key in [Item.CodingKeys.name, .valueInDollars] where !names.contains(key.stringValue) {
      throw ItemStoreError(.damaged, "The table's first line names no column \(key.stringValue)")
    }
    let keys = names.map(Item.CodingKeys.init(stringValue:))
    var result = ItemImport()
    result.ignoredColumns = names.filter { Item.CodingKeys(stringValue: $0) == nil }
    var distinct = DistinctKeys()
    for record in records.dropFirst() {
      do throws(ItemFields.Defect) {
        result.items.append(distinct.distinct(try item(of: record, keys)))
      } catch {
        result.problems.append(ItemImport.Problem(place: record.line, reason: error.reason))
      }
    }
    return result
  }
}

// MARK: - Fields of a table

extension ItemExchange {
  private static let columns = Item.CodingKeys.allCases

  private static func field(_ item: Item, _ key: Item.CodingKeys) -> CSVText.Field {
    switch key {
    case .name: text(item.name)
    case .valueInDollars: CSVText.Field(text: "\(item.valueInDollars)")
    case .serialNumber: item.serialNumber.map(text) ?? CSVText.Field(text: "")
    case .dateCreated: CSVText.Field(text: ISODate.text(item.dateCreated))
    case .category: text(item.category.rawValue)
    case .itemKey: text(item.itemKey)
    }
  }

  private static func text(_ text: String) -> CSVText.Field {
    CSVText.Field(text: CSVFormula.neutralized(text), isQuoted: text.isEmpty)
  }

  private static func item(
    of record: CSVText.Record, _ keys: [Item.CodingKeys?]
  ) throws(ItemFields.Defect) -> Item {
    var fields = ItemFields()
    fields.set(.dateCreated, to: .date(Date()))
    for (key, field) in zip(keys, record.fields) {
      guard let key else { continue }
      switch key {
      case .valueInDollars:
        let text = field.text.trimmingCharacters(in: .whitespaces)
        fields.set(key, to: Int64(text).map(ItemValue.integer) ?? .text(text))
      case .dateCreated:
        let text = field.text.trimmingCharacters(in: .whitespaces)
        if text.isEmpty { continue }
        fields.set(key, to: ISODate.date(text).map(ItemValue.date) ?? .text(text))
      case .name, .serialNumber, .category, .itemKey:
        // None, but for a name, which may be empty, and a text whose quotes say that it is one.
        if field.text.isEmpty, !field.isQuoted, key != .name { continue }
        fields.set(key, to: .text(CSVFormula.restored(field.text)))
      }
    }
    return try fields.item(dates: nil)
  }
}

// MARK: - Into a list

extension ItemStore {
  /// What becomes of an item whose key is in the list already, with other values.
  public enum ImportRule: Hashable, Sendable {
    /// Both stay; the imported one gets a key of its own.
    case keepBoth
    /// The imported one takes its place.
    case replace
    /// It stays as it is.
    case skip
  }

  /// Appends items; those that are in the list with the same values are not added again.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - rule: What to do with an item whose key is taken.
  /// - Returns: What has changed.
  @discardableResult
  public func importItems(_ items: [Item], where rule: ImportRule = .keepBoth) -> ItemChanges {
    edit { state in
      var changes = ItemChanges()
      for item in items {
        guard let index = state.index(of: item.itemKey) else {
          if let change = state.insert(item, at: nil) { changes.add(change) }
          continue
        }
        let old = state.list.items[index]
        var item = item
        // A table has no column for them, which does not mean that they are to go.
        item.unknownValues.merge(old.unknownValues) { imported, _ in imported }
        guard old != item else { continue }
        let change: ItemChanges? =
          switch rule {
          case .keepBoth: state.insert(item.rekeyed(), at: nil)
          case .replace: state.update(item)
          case .skip: nil
          }
        if let change { changes.add(change) }
      }
      return (changes, changes)
    }
  }
}
