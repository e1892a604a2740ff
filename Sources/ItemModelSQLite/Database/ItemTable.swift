import ItemModel
import SQLiteAccess

/// The items of a database, by statements; each call is part of a transaction of its caller's.
struct ItemTable {
  let connection: SQLiteConnection
}

// MARK: - Reading

extension ItemTable {
  /// All rows in their order.
  func contents() throws(SQLiteFailure) -> ItemContents {
    var contents = ItemContents()
    // Keys of ASCII that differ in their bytes differ for Swift, too.
    var others: Set<String> = []
    let rows = try connection.statement("SELECT \(ItemRow.columns) FROM items ORDER BY position")
    defer { rows.reset() }
    var position = 0
    while try rows.step() {
      switch ItemRow(rows) {
      case .item(let item):
        if item.itemKey.utf8.allSatisfy({ $0 < 128 }) {
          contents.items.append(item)
          break
        }
        // No statement finds a key that was repaired.
        let isText = rows.bytes(0) == Array(item.itemKey.utf8)
        if isText, others.insert(item.itemKey).inserted {
          contents.items.append(item)
          break
        }
        contents.unreadable.append(
          UnreadableItem(
            position: position, value: ItemRow.fields(of: rows),
            reason: isText
              ? "Its key is that of another item in other characters." : "Its itemKey is no text."))
      case .raw(let value, let reason):
        contents.unreadable.append(
          UnreadableItem(position: position, value: value, reason: reason))
      }
      position += 1
    }
    return contents
  }

  var isEmpty: Bool {
    get throws(SQLiteFailure) {
      let rows = try connection.statement("SELECT 1 FROM items LIMIT 1")
      defer { rows.reset() }
      return try !rows.step()
    }
  }

  /// Changes when others have committed, and not with this connection's commits.
  func commitsOfOthers() throws(SQLiteFailure) -> UInt64 {
    let statement = try connection.statement("PRAGMA data_version")
    defer { statement.reset() }
    return try statement.step() ? UInt64(truncatingIfNeeded: statement.integer(0)) : 0
  }

  func item(forKey key: String) throws(SQLiteFailure) -> Item? {
    let rows = try connection.statement("SELECT \(ItemRow.columns) FROM items WHERE itemKey = ?")
    defer { rows.reset() }
    try rows.bind(key, at: 1)
    guard try rows.step(), case .item(let item) = ItemRow(rows) else { return nil }
    return item
  }
}

// MARK: - Writing

extension ItemTable {
  func insert(_ item: Item, at position: Int64) throws(SQLiteFailure) {
    let insert = try connection.statement(
      """
      INSERT INTO items (itemKey, name, valueInDollars, serialNumber, dateCreated, category,
        unknownValues, position) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """)
    try insert.bind(item)
    try insert.bind(position, at: 8)
    try insert.run()
    try requireChange()
  }

  /// - Returns: Whether there was such an item.
  @discardableResult
  func update(_ item: Item) throws(SQLiteFailure) -> Bool {
    let update = try connection.statement(
      """
      UPDATE items SET name = ?2, valueInDollars = ?3, serialNumber = ?4, dateCreated = ?5,
        category = ?6, unknownValues = ?7 WHERE itemKey = ?1
      """)
    try update.bind(item)
    try update.run()
    return connection.changeCount > 0
  }

  func move(_ key: String, to position: Int64) throws(SQLiteFailure) {
    let move = try connection.statement("UPDATE items SET position = ?2 WHERE itemKey = ?1")
    try move.bind(key, at: 1)
    try move.bind(position, at: 2)
    try move.run()
    try requireChange()
  }

  func remove(_ key: String) throws(SQLiteFailure) {
    let delete = try connection.statement("DELETE FROM items WHERE itemKey = ?")
    try delete.bind(key, at: 1)
    try delete.run()
  }

  /// Brings the table to a list that differs little from it.
  func apply(_ edits: ItemEdits) throws(SQLiteFailure) {
    for key in edits.removed { try remove(key) }
    for item in edits.updated {
      try update(item)
      try requireChange()
    }
    var last: (key: String, position: Int64)?
    for placed in edits.placed {
      let before: Int64? =
        if let last, last.key == placed.predecessor {
          last.position
        } else {
          try placed.predecessor.flatMap { key throws(SQLiteFailure) in try self.position(of: key) }
        }
      let position = try room(after: before)
      if placed.isNew {
        try freeKey(placed.item.itemKey)
        try insert(placed.item, at: position)
      } else {
        try update(placed.item)
        try move(placed.item.itemKey, to: position)
      }
      last = (placed.item.itemKey, position)
    }
  }

  /// A trigger that another program has made can refuse a change without an error.
  private func requireChange() throws(SQLiteFailure) {
    guard connection.changeCount > 0 else {
      throw SQLiteFailure(code: 1, message: "A row was not written; look for triggers")
    }
  }

  /// A row that could not be read as an item may hold the key: it is kept without it.
  private func freeKey(_ key: String) throws(SQLiteFailure) {
    guard let position = try position(of: key) else { return }
    let rows = try connection.statement("SELECT \(ItemRow.columns) FROM items WHERE position = ?")
    defer { rows.reset() }
    try rows.bind(position, at: 1)
    guard try rows.step(), case .raw(let value, _) = ItemRow(rows) else { return }
    rows.reset()
    let update = try connection.statement(
      "UPDATE items SET itemKey = ?2, raw = ?3 WHERE position = ?1")
    try update.bind(position, at: 1)
    try update.bind(Self.rawKey(at: position), at: 2)
    try update.bind(value.listBytes, at: 3)
    try update.run()
  }

  /// Of what has none that could be read.
  private static func rawKey(at position: Int64) -> String {
    "raw-\(position)-\(UInt64.random(in: .min ... .max))"
  }

  /// Fills an empty table.
  func fill(_ contents: ItemContents) throws(SQLiteFailure) {
    var position: Int64 = 0
    try contents.forEach { item throws(SQLiteFailure) in
      position += Self.gap
      try insert(item, at: position)
    } unreadable: { value throws(SQLiteFailure) in
      position += Self.gap
      let insert = try connection.statement(
        "INSERT INTO items (itemKey, raw, position) VALUES (?, ?, ?)")
      try insert.bind(Self.rawKey(at: position), at: 1)
      try insert.bind(value.listBytes, at: 2)
      try insert.bind(position, at: 3)
      try insert.run()
    }
  }
}
