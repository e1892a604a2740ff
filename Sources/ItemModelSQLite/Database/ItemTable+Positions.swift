import SQLiteAccess

// Where a row goes. Rows are numbered with room between them, so that one that comes or moves is one
// row's change; where the room is used up, only those rows move on that stand in the way.
extension ItemTable {
  /// Between rows that come to the end: room for two thousand million of them.
  static let gap: Int64 = 1 << 32
  /// Between rows that had to move on.
  private static let step: Int64 = 1 << 16

  /// nil where there is no such row.
  func position(of key: String) throws(SQLiteFailure) -> Int64? {
    let statement = try connection.statement("SELECT position FROM items WHERE itemKey = ?")
    defer { statement.reset() }
    try statement.bind(key, at: 1)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// The position of the row before another one, or of the last row; nil where there is none.
  func position(before other: Int64?) throws(SQLiteFailure) -> Int64? {
    let statement = try connection.statement(
      other == nil
        ? "SELECT max(position) FROM items"
        : "SELECT max(position) FROM items WHERE position < ?")
    defer { statement.reset() }
    if let other { try statement.bind(other, at: 1) }
    return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
  }

  /// A free position behind a row and before the next one; nil is before all.
  func room(after position: Int64?) throws(SQLiteFailure) -> Int64 {
    guard let next = try self.position(behind: position) else {
      return try end(after: position)
    }
    guard let position else {
      let (room, overflow) = next.subtractingReportingOverflow(Self.gap)
      guard overflow else { return room }
      guard next > .min else { throw Self.noRoom }
      return Self.middle(.min, next)
    }
    if Self.middle(position, next) > position { return Self.middle(position, next) }
    try makeRoom(behind: position)
    return Self.middle(position, try self.position(behind: position) ?? position &+ Self.step)
  }

  private static let noRoom = SQLiteFailure(
    code: 1, message: "The positions of the rows are used up")

  private static func middle(_ low: Int64, _ high: Int64) -> Int64 {
    (low & high) + ((low ^ high) >> 1)
  }

  private func end(after position: Int64?) throws(SQLiteFailure) -> Int64 {
    guard let position else { return Self.gap }
    let (room, overflow) = position.addingReportingOverflow(Self.gap)
    guard overflow else { return room }
    // Somebody else has numbered rows up to the end of all numbers.
    guard position < .max else { throw Self.noRoom }
    return Self.middle(position, .max) + 1
  }

  private func position(behind position: Int64?) throws(SQLiteFailure) -> Int64? {
    let statement = try connection.statement(
      position == nil
        ? "SELECT min(position) FROM items"
        : "SELECT min(position) FROM items WHERE position > ?")
    defer { statement.reset() }
    if let position { try statement.bind(position, at: 1) }
    return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
  }

  /// Moves the rows on that stand too close behind a row; the last of them first, so that no two
  /// are ever at one position.
  private func makeRoom(behind position: Int64) throws(SQLiteFailure) {
    var moves: [(from: Int64, to: Int64)] = []
    let rows = try connection.statement(
      "SELECT position FROM items WHERE position > ? ORDER BY position")
    try rows.bind(position, at: 1)
    while try rows.step() {
      let (offset, isFar) = Self.step.multipliedReportingOverflow(by: Int64(moves.count + 2))
      let (target, isBeyond) = position.addingReportingOverflow(offset)
      guard !isFar, !isBeyond else {
        rows.reset()
        throw Self.noRoom
      }
      if rows.integer(0) >= target { break }
      moves.append((rows.integer(0), target))
    }
    rows.reset()
    let move = try connection.statement("UPDATE items SET position = ?2 WHERE position = ?1")
    for (from, to) in moves.reversed() {
      try move.bind(from, at: 1)
      try move.bind(to, at: 2)
      try move.run()
    }
  }
}
