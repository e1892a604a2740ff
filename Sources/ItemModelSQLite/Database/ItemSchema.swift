import SQLiteAccess

/// The tables of a database of items, and how older ones become the newest.
///
/// The version stands in `PRAGMA user_version`, and `PRAGMA application_id` says whose it is.
struct ItemSchema: Sendable {
  /// "CKIT".
  static let application: Int64 = 0x434B_4954

  /// Steps from each version to the next, from an empty database on. They are never changed.
  let steps: [String]

  var version: Int64 { Int64(steps.count) }

  /// The columns have the names of an item's values. The position is the row's number, with room
  /// before and after it: the table lies in the order of the list. What was no item for the
  /// version that has kept it is `raw` alone, a binary property list, as unknown values are.
  static let current = ItemSchema(steps: [
    """
    CREATE TABLE items (
      position INTEGER PRIMARY KEY,
      itemKey TEXT NOT NULL UNIQUE,
      name TEXT, valueInDollars INTEGER, serialNumber TEXT, dateCreated REAL, category TEXT,
      unknownValues BLOB, raw BLOB,
      CHECK (raw IS NOT NULL OR (name IS NOT NULL AND valueInDollars IS NOT NULL
        AND dateCreated IS NOT NULL AND category IS NOT NULL))
    ) STRICT
    """
  ])

  enum Found: Hashable, Sendable {
    case empty, older, current, newer(Int64), foreign
  }

  /// What a database holds.
  func found(in connection: SQLiteConnection) throws(SQLiteFailure) -> Found {
    let application = try number("PRAGMA application_id", connection)
    let version = try number("PRAGMA user_version", connection)
    if application == Self.application {
      return version > self.version ? .newer(version) : version == self.version ? .current : .older
    }
    let tables = try number("SELECT count(*) FROM sqlite_schema", connection)
    return application == 0 && version == 0 && tables == 0 ? .empty : .foreign
  }

  /// Takes the steps that a database has not had; within a transaction.
  func migrate(_ connection: SQLiteConnection) throws(SQLiteFailure) {
    let version = try number("PRAGMA user_version", connection)
    // Somebody else may have been faster.
    guard (0..<self.version).contains(version) else { return }
    for step in steps[Int(version)...] { try connection.execute(step) }
    try connection.execute(
      "PRAGMA application_id = \(Self.application); PRAGMA user_version = \(self.version)")
  }

  private func number(
    _ text: String, _ connection: SQLiteConnection
  ) throws(SQLiteFailure) -> Int64 {
    let statement = try connection.statement(text)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }
}
