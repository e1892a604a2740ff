import Foundation
import ItemModel
import SQLiteAccess

// Queries, as far as SQL has words for them: which items come by value, date and category, and their
// order. Names are compared by Foundation, as a store does it.
extension ItemTable {
  func items(
    matching query: ItemQuery, offset: Int, limit: Int
  ) throws(SQLiteFailure) -> [Item] {
    if query.order == .name {
      return try connection.reading { () throws(SQLiteFailure) in
        try itemsByName(query, offset: offset, limit: limit)
      }
    }
    let isFiltered = query.hasName
    let rows = try self.rows(ItemRow.columns, query, isFiltered ? "" : " LIMIT ?5 OFFSET ?6")
    defer { rows.reset() }
    if !isFiltered {
      try rows.bind(Int64(limit), at: 5)
      try rows.bind(Int64(offset), at: 6)
    }
    var items: [Item] = []
    var rest = isFiltered ? offset : 0
    while items.count < limit, try rows.step() {
      guard case .item(let item) = ItemRow(rows), !isFiltered || query.matches(item) else {
        continue
      }
      if rest > 0 { rest -= 1 } else { items.append(item) }
    }
    return items
  }

  func totals(matching query: ItemQuery) throws(SQLiteFailure) -> ItemTotals {
    var query = query
    query.order = .list
    var totals = ItemTotals()
    guard !query.hasName else {
      let rows = try self.rows(ItemRow.columns, query)
      defer { rows.reset() }
      while try rows.step() {
        if case .item(let item) = ItemRow(rows), query.matches(item) { totals.add(item) }
      }
      return totals
    }
    // Adding up here takes less than grouping there, and no sum is too much.
    let rows = try connection.statement(
      "SELECT \(ItemQuery.place), valueInDollars FROM items WHERE \(query.condition)")
    defer { rows.reset() }
    try query.bind(to: rows)
    var counts = [0, 0, 0, 0]
    var sums = [Int128](repeating: 0, count: 4)
    while try rows.step() {
      let place = Int(rows.integer(0))
      counts[place] += 1
      sums[place] += Int128(rows.integer(1))
    }
    for (place, word) in ItemQuery.words.enumerated() where counts[place] > 0 {
      totals.add(counts[place], of: Category(rawValue: word), worth: sums[place])
    }
    return totals
  }

  private func rows(
    _ columns: String, _ query: ItemQuery, _ end: String = ""
  ) throws(SQLiteFailure) -> SQLiteStatement {
    let rows = try connection.statement(
      "SELECT \(columns) FROM items WHERE \(query.condition) ORDER BY \(query.ordering)\(end)")
    try query.bind(to: rows)
    return rows
  }

  /// Keeps the names of about a page in memory, however many there are.
  private func itemsByName(
    _ query: ItemQuery, offset: Int, limit: Int
  ) throws(SQLiteFailure) -> [Item] {
    let (end, overflow) = offset.addingReportingOverflow(limit)
    let count = overflow ? .max : end
    let room = count > 1 << 20 ? count : 2 * count + 1024
    var names: [(name: String, position: Int64)] = []
    var last: String?
    func comesBefore(_ left: String, _ right: String) -> Bool {
      left.localizedStandardCompare(right)
        == (query.isDescending ? .orderedDescending : .orderedAscending)
    }
    func shorten() {
      // The standard library's sort keeps the order of equal ones.
      names.sort { comesBefore($0.name, $1.name) }
      names.removeLast(max(0, names.count - count))
      if names.count == count { last = names.last?.name }
    }
    var list = query
    (list.order, list.isDescending) = (.list, false)
    let rows = try self.rows("position, name", list)
    while try rows.step() {
      let name = rows.text(1) ?? ""
      guard query.matches(name: name), last.map({ comesBefore(name, $0) }) ?? true else { continue }
      names.append((name, rows.integer(0)))
      if names.count >= room { shorten() }
    }
    rows.reset()
    shorten()
    let row = try connection.statement("SELECT \(ItemRow.columns) FROM items WHERE position = ?")
    var items: [Item] = []
    for (_, position) in names.dropFirst(offset) {
      try row.bind(position, at: 1)
      if try row.step(), case .item(let item) = ItemRow(row) { items.append(item) }
      row.reset()
    }
    return items
  }

  /// The position before a row, or at the end where there is none.
  func room(before key: String?) throws(SQLiteFailure) -> Int64 {
    let successor = try key.flatMap { key throws(SQLiteFailure) in try self.position(of: key) }
    return try room(after: try position(before: successor))
  }
}

// MARK: - SQL

extension ItemQuery {
  fileprivate var hasName: Bool { !(name ?? "").isEmpty }

  /// As a menu has them; any other one is shown as the last.
  fileprivate static let words = ["electronics", "clothing", "book", "other"]

  fileprivate static let place =
    "CASE category WHEN 'electronics' THEN 0 WHEN 'clothing' THEN 1 WHEN 'book' THEN 2 ELSE 3 END"

  fileprivate var condition: String {
    var parts = ["raw IS NULL"]
    if values != nil { parts.append("valueInDollars BETWEEN ?1 AND ?2") }
    if dates != nil { parts.append("dateCreated BETWEEN ?3 AND ?4") }
    if let categories {
      let words = Self.words.dropLast()
      let named = words.filter { categories.contains(Category(rawValue: $0)) }
      var kinds = ["category IN (\(named.map { "'\($0)'" }.joined(separator: ", ")))"]
      if categories.contains(.other) {
        kinds.append("category NOT IN (\(words.map { "'\($0)'" }.joined(separator: ", ")))")
      }
      parts.append("(\(kinds.joined(separator: " OR ")))")
    }
    return parts.joined(separator: " AND ")
  }

  fileprivate var ordering: String {
    let direction = isDescending ? " DESC" : ""
    return switch order {
    case .list, .name: "position\(direction)"
    case .value: "valueInDollars\(direction), position"
    case .date: "dateCreated\(direction), position"
    case .category:
      "\(Self.place)\(direction), position"
    }
  }

  fileprivate func bind(to statement: SQLiteStatement) throws(SQLiteFailure) {
    if let values {
      try statement.bind(Int64(values.lowerBound), at: 1)
      try statement.bind(Int64(values.upperBound), at: 2)
    }
    if let dates {
      try statement.bind(dates.lowerBound.timeIntervalSinceReferenceDate, at: 3)
      try statement.bind(dates.upperBound.timeIntervalSinceReferenceDate, at: 4)
    }
  }
}
