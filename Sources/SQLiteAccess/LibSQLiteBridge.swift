import CSQLite

/// A connection to a database, for one thread at a time. This file alone talks to SQLite.
package final class SQLiteConnection {
  fileprivate let handle: OpaquePointer
  /// Prepared once: preparing takes longer than running a small statement.
  private var statements: [String: SQLiteStatement] = [:]

  package enum Access { case readWrite, readOnly, immutable }

  /// Opens a file that exists.
  ///
  /// - Parameters:
  ///   - path: The file; SQLite makes its log and index beside it.
  ///   - access: `immutable` for media that nobody can write: no lock and no index are needed then.
  /// - Throws: What SQLite refused.
  package init(_ path: String, _ access: Access) throws(SQLiteFailure) {
    var handle: OpaquePointer?
    let mode = access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    let address = "file:\(Self.escaped(path))\(access == .immutable ? "?immutable=1" : "")"
    let code = sqlite3_open_v2(
      address, &handle, mode | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
    guard let handle else { throw SQLiteFailure(code: SQLITE_NOMEM, message: "out of memory") }
    guard code == SQLITE_OK else {
      defer { sqlite3_close_v2(handle) }
      throw SQLiteFailure(handle)
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    _ = ck_sqlite_keep_log(handle, 1)
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  private static func escaped(_ path: String) -> String {
    let marks: [UInt8] = [UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#")]
    return path.utf8.map { byte in
      let digits = String(byte, radix: 16)
      return (33..<127).contains(byte) && !marks.contains(byte)
        ? String(UnicodeScalar(byte)) : "%\(digits.count == 1 ? "0" : "")\(digits)"
    }.joined()
  }

  /// How long to wait for others, in milliseconds.
  package var patience: Int32 = 0 {
    didSet { sqlite3_busy_timeout(handle, patience) }
  }

  private var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// How many rows the last statement has changed.
  package var changeCount: Int { Int(sqlite3_changes(handle)) }

  /// Whether the file may only be read, whatever was asked for.
  package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") != 0 }

  /// Whether closing leaves the log, instead of writing its pages into a database that may be
  /// damaged, and removing it.
  package var keepsLog = true {
    didSet { _ = ck_sqlite_keep_log(handle, keepsLog ? 1 : 0) }
  }

  /// Runs statements without values.
  package func execute(_ text: String) throws(SQLiteFailure) {
    guard sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK else {
      throw SQLiteFailure(handle)
    }
  }

  /// Runs statements that all count or none, alone among those who write.
  package func transaction<Value>(
    _ body: () throws(SQLiteFailure) -> Value
  ) throws(SQLiteFailure) -> Value {
    try span("BEGIN IMMEDIATE", body)
  }

  /// Runs statements that see one state.
  package func reading<Value>(
    _ body: () throws(SQLiteFailure) -> Value
  ) throws(SQLiteFailure) -> Value {
    try span("BEGIN", body)
  }

  private func span<Value>(
    _ begin: String, _ body: () throws(SQLiteFailure) -> Value
  ) throws(SQLiteFailure) -> Value {
    try statement(begin).run()
    do throws(SQLiteFailure) {
      let value = try body()
      try statement("COMMIT").run()
      return value
    } catch {
      // Some failures have ended it already.
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// The statement of a text, ready for its values.
  package func statement(_ text: String) throws(SQLiteFailure) -> SQLiteStatement {
    if let statement = statements[text] { return statement }
    let statement = try SQLiteStatement(text, of: self)
    statements[text] = statement
    return statement
  }
}

/// A prepared statement. Whoever has begun to step has to ``reset()``.
package final class SQLiteStatement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer
  /// `SQLITE_TRANSIENT`, which is a cast that Swift does not import: SQLite copies the bytes.
  private static let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  fileprivate init(_ text: String, of connection: SQLiteConnection) throws(SQLiteFailure) {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection.handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else { throw SQLiteFailure(connection.handle) }
    self.handle = handle
    self.connection = connection.handle
  }

  deinit { sqlite3_finalize(handle) }

  // MARK: - Values, from 1

  package func bind(_ number: Int64?, at index: Int32) throws(SQLiteFailure) {
    try check(
      number.map { sqlite3_bind_int64(handle, index, $0) } ?? sqlite3_bind_null(handle, index))
  }

  package func bind(_ number: Double, at index: Int32) throws(SQLiteFailure) {
    try check(sqlite3_bind_double(handle, index, number))
  }

  package func bind(_ text: String?, at index: Int32) throws(SQLiteFailure) {
    guard var text else { return try check(sqlite3_bind_null(handle, index)) }
    let code = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        // An empty text may have no address, which would be null.
        bytes.baseAddress.map {
          sqlite3_bind_text64(
            handle, index, $0, UInt64(bytes.count), Self.copying, UInt8(SQLITE_UTF8))
        } ?? sqlite3_bind_text(handle, index, "", 0, Self.copying)
      }
    }
    try check(code)
  }

  package func bind(_ bytes: [UInt8]?, at index: Int32) throws(SQLiteFailure) {
    guard let bytes else { return try check(sqlite3_bind_null(handle, index)) }
    try check(sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), Self.copying))
  }

  private func check(_ code: Int32) throws(SQLiteFailure) {
    guard code == SQLITE_OK else { throw SQLiteFailure(connection) }
  }

  // MARK: - Running

  /// - Returns: Whether there is a row.
  package func step() throws(SQLiteFailure) -> Bool {
    let code = sqlite3_step(handle)
    guard code == SQLITE_ROW || code == SQLITE_DONE else {
      let failure = SQLiteFailure(connection)
      reset()
      throw failure
    }
    return code == SQLITE_ROW
  }

  package func reset() { sqlite3_reset(handle) }

  /// Runs a statement that has no rows.
  package func run() throws(SQLiteFailure) {
    _ = try step()
    reset()
  }

  // MARK: - Columns, from 0

  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  package func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// nil for null. What is no UTF-8 is repaired.
  package func text(_ column: Int32) -> String? {
    guard let start = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// nil for null.
  package func bytes(_ column: Int32) -> [UInt8]? {
    guard !isNull(column) else { return nil }
    let start = sqlite3_column_blob(handle, column)
    return Array(
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }
}

extension SQLiteFailure {
  /// What a connection's last call refused.
  fileprivate init(_ handle: OpaquePointer) {
    self.init(
      code: sqlite3_extended_errcode(handle),
      message: sqlite3_errmsg(handle).map { String(cString: $0) } ?? "",
      errno: sqlite3_system_errno(handle))
  }

  package var kind: Kind {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
    case SQLITE_FULL: .full
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .notPermitted
    case SQLITE_IOERR, SQLITE_CANTOPEN: .system
    default: .other
    }
  }
}
