import LinuxSystem
import SQLiteAccess

/// What a library knew the last time, in a database: a cache, which nobody misses.
///
/// Whatever is wrong with it, it answers nil, and is made anew or worked without. One connection,
/// for one thread at a time.
final class LibraryIndex {
  private let path: String
  private var connection: SQLiteConnection?
  /// Raised with each change of the tables, and of what is asked of files: others are thrown away.
  static let version: Int64 = 2
  /// "CKPL".
  private static let application: Int64 = 0x434B_504C
  /// Others hold it for as long as saving takes.
  private static let patience: Int32 = 2000

  /// - Parameter path: The database's file; its folder is made where it is missing.
  init(path: String) { self.path = path }

  /// Opens what is there.
  ///
  /// - Returns: Whether there is one of this version.
  func open() -> Bool {
    // Only what exists: SQLite would make an empty one.
    guard let status = try? FileStatus(ofFile: path), status.isRegular, status.byteCount > 0
    else { return false }
    do throws(SQLiteFailure) {
      let connection = try SQLiteConnection(path, .readWrite)
      connection.patience = Self.patience
      guard try Self.number("PRAGMA application_id", connection) == Self.application,
        try Self.number("PRAGMA user_version", connection) == Self.version
      else { return false }
      try connection.execute("PRAGMA synchronous=NORMAL")
      self.connection = connection
      return true
    } catch {
      return false
    }
  }

  /// Makes an empty one in the place of what is there.
  ///
  /// - Returns: Whether it could be made.
  func make() -> Bool {
    remove()
    do {
      try Folder.make(AtomicFile.folder(of: path), isPrivate: true)
      _ = try OpenFile(making: path, permissions: 0o600)
      let connection = try SQLiteConnection(path, .readWrite)
      connection.patience = Self.patience
      try connection.execute(
        """
        PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;
        BEGIN IMMEDIATE;
        CREATE TABLE file (
          path BLOB PRIMARY KEY, kind INTEGER NOT NULL, captured INTEGER NOT NULL,
          flags INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
          trouble INTEGER NOT NULL, bytes INTEGER NOT NULL, modified INTEGER NOT NULL,
          changed INTEGER NOT NULL, number INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX file_by_date ON file (captured DESC, path, kind);
        CREATE TABLE album (path BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
        PRAGMA application_id=\(Self.application); PRAGMA user_version=\(Self.version);
        COMMIT
        """)
      // A log that stays would hold the last changes only.
      connection.keepsLog = false
      self.connection = connection
      return true
    } catch {
      remove()
      return false
    }
  }

  /// Deletes it; others who have it open go on with what they have.
  private func remove() {
    connection = nil
    for suffix in ["", "-wal", "-shm", "-journal"] { _ = try? FileNames.remove(path + suffix) }
  }

  func close() { connection = nil }

  private static func number(
    _ text: String, _ connection: SQLiteConnection
  ) throws(SQLiteFailure) -> Int64 {
    let statement = try connection.statement(text)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }
}

// MARK: - Reading

extension LibraryIndex {
  private static let columns =
    "path, kind, captured, flags, width, height, trouble, bytes, modified, changed, number"

  /// A part of the list, without all of it being read; nil where that cannot be had.
  func page(_ range: Range<Int>, _ kinds: Set<LibraryEntry.Kind>) -> [LibraryEntry]? {
    guard let connection else { return nil }
    do throws(SQLiteFailure) {
      let statement = try connection.statement(
        """
        SELECT \(Self.columns) FROM file WHERE path IN (
          SELECT path FROM file INDEXED BY file_by_date WHERE kind IN (?, ?)
          ORDER BY captured DESC, path LIMIT ? OFFSET ?)
        ORDER BY captured DESC, path
        """)
      try bind(kinds, statement)
      try statement.bind(Int64(range.count), at: 3)
      try statement.bind(Int64(range.lowerBound), at: 4)
      return try rows(statement)
    } catch {
      return nil
    }
  }

  /// How many there are; nil where that cannot be had.
  func count(_ kinds: Set<LibraryEntry.Kind>) -> Int? {
    guard let connection else { return nil }
    do throws(SQLiteFailure) {
      let statement = try connection.statement(
        "SELECT count(*) FROM file INDEXED BY file_by_date WHERE kind IN (?, ?)")
      try bind(kinds, statement)
      defer { statement.reset() }
      return try statement.step() ? Int(statement.integer(0)) : nil
    } catch {
      return nil
    }
  }

  private func bind(
    _ kinds: Set<LibraryEntry.Kind>, _ statement: SQLiteStatement
  ) throws(SQLiteFailure) {
    for (place, kind) in [LibraryEntry.Kind.image, .movie].enumerated() {
      // No entry has −1.
      let number = kinds.contains(kind) ? Int64(kind.rawValue) : -1
      try statement.bind(number, at: Int32(place + 1))
    }
  }

  /// All of it; nil where that cannot be had.
  func load() -> (entries: [LibraryEntry], albums: [RawPath])? {
    guard let connection else { return nil }
    do throws(SQLiteFailure) {
      return try connection.reading { () throws(SQLiteFailure) in
        let albums = try connection.statement("SELECT path FROM album ORDER BY path")
        var paths: [RawPath] = []
        while try albums.step() { paths.append(RawPath(bytes: albums.bytes(0) ?? [])) }
        albums.reset()
        let files = try connection.statement(
          "SELECT \(Self.columns) FROM file ORDER BY captured DESC, path")
        return (try rows(files), paths)
      }
    } catch {
      return nil
    }
  }

  private func rows(_ statement: SQLiteStatement) throws(SQLiteFailure) -> [LibraryEntry] {
    defer { statement.reset() }
    var entries: [LibraryEntry] = []
    while try statement.step() {
      guard let entry = LibraryEntry(statement) else { continue }
      entries.append(entry)
    }
    return entries
  }
}

// MARK: - Writing

extension LibraryIndex {
  /// Keeps changes, all or none.
  ///
  /// - Parameters:
  ///   - touched: Files that are not as they were.
  ///   - catalog: What they are.
  ///   - hasOtherAlbums: Whether the albums are not as they were.
  /// - Returns: Whether that could be done.
  func save(
    _ touched: some Sequence<RawPath>, of catalog: LibraryCatalog, _ hasOtherAlbums: Bool
  ) -> Bool {
    guard let connection else { return false }
    do throws(SQLiteFailure) {
      try connection.transaction { () throws(SQLiteFailure) in
        let put = try connection.statement(
          "INSERT OR REPLACE INTO file (\(Self.columns)) VALUES (?,?,?,?,?,?,?,?,?,?,?)")
        let delete = try connection.statement("DELETE FROM file WHERE path = ?")
        for path in touched {
          if let entry = catalog[path] {
            try entry.bind(to: put)
            try put.run()
          } else {
            try delete.bind(path.bytes, at: 1)
            try delete.run()
          }
        }
        if hasOtherAlbums { try save(catalog.albums, connection) }
      }
      return true
    } catch {
      return false
    }
  }

  private func save(
    _ albums: [RawPath], _ connection: SQLiteConnection
  ) throws(SQLiteFailure) {
    try connection.execute("DELETE FROM album")
    let album = try connection.statement("INSERT OR IGNORE INTO album (path) VALUES (?)")
    for path in albums {
      try album.bind(path.bytes, at: 1)
      try album.run()
    }
  }
}

extension LibraryEntry {
  private static let dateFromFile: Int64 = 1
  private static let lookedAt: Int64 = 2

  /// A row; nil for one that makes no sense.
  fileprivate init?(_ row: SQLiteStatement) {
    guard let path = row.bytes(0), let kind = Kind(rawValue: UInt8(clamping: row.integer(1))),
      let trouble = Trouble(rawValue: UInt8(clamping: row.integer(6)))
    else { return nil }
    let stamp = FileStamp(
      byteCount: Int(row.integer(7)), modified: row.integer(8), changed: row.integer(9),
      fileNumber: UInt64(bitPattern: row.integer(10)))
    self.init(path: RawPath(bytes: path), stamp: stamp, kind: kind)
    captured = row.integer(2)
    isDateFromFile = row.integer(3) & Self.dateFromFile != 0
    isLookedAt = row.integer(3) & Self.lookedAt != 0
    width = Int32(clamping: row.integer(4))
    height = Int32(clamping: row.integer(5))
    self.trouble = trouble
  }

  fileprivate func bind(to row: SQLiteStatement) throws(SQLiteFailure) {
    try row.bind(path.bytes, at: 1)
    let flags = (isDateFromFile ? Self.dateFromFile : 0) | (isLookedAt ? Self.lookedAt : 0)
    let numbers: [Int64] = [
      Int64(kind.rawValue), captured, flags, Int64(width), Int64(height),
      Int64(trouble.rawValue), Int64(stamp.byteCount), stamp.modified, stamp.changed,
      Int64(bitPattern: stamp.fileNumber),
    ]
    for (place, number) in numbers.enumerated() { try row.bind(number, at: Int32(place + 2)) }
  }
}
