import Foundation
import ItemModel
import LinuxSystem
import SQLiteAccess

/// A database in its file: opened when it is needed, made when something is written, and opened
/// again when somebody has put another one into its place.
final class ItemDatabaseFile: Sendable {
  let url: URL
  let path: String
  let schema: ItemSchema
  /// How long to wait for other programs, in milliseconds.
  let patience: Int32
  /// Calls follow each other here: a connection is one thread's at a time.
  private let calls = DispatchQueue(label: "ItemDatabase.calls")
  // Used on `calls` only.
  private nonisolated(unsafe) var opened: Opened?
  // Used on `calls` only.
  private nonisolated(unsafe) var openCount: UInt64 = 0

  struct Opened {
    let table: ItemTable
    let path: String
    let fileNumber: UInt64
    let isWritable: Bool
    /// Whether it was opened as a file that nobody writes to.
    let isProtected: Bool
    /// What the file was, where SQLite takes it for one that never changes.
    let unchanging: FileStatus?
    /// Which one it is, of those that this object has opened.
    let number: UInt64

    var connection: SQLiteConnection { table.connection }

    /// Whether the file is still what SQLite takes it for: others may be allowed to write.
    fileprivate func isCurrent(_ status: FileStatus) -> Bool {
      guard let unchanging else { return true }
      return unchanging.modified == status.modified && unchanging.byteCount == status.byteCount
        && ItemDatabaseFile.hasNoLog(path)
    }
  }

  /// What opening has found.
  enum Found {
    case absent
    /// A file without tables.
    case empty(Opened)
    case items(Opened)
    case damaged(SQLiteFailure)
  }

  /// - Throws: ``ItemStoreError`` where the address is none of a file.
  init(
    url: URL, schema: ItemSchema = .current, patience: Int32 = 20_000
  ) throws(ItemStoreError) {
    guard url.isFileURL else {
      throw ItemStoreError(.failed, "\(url) is no file's address; items are kept in files")
    }
    // A relative address must not follow the process when it changes its working folder.
    self.url = url.absoluteURL
    path = self.url.path(percentEncoded: false)
    self.schema = schema
    self.patience = patience
  }

  /// Runs a call when those before it are through.
  func call<Value>(_ body: () throws(ItemStoreError) -> Value) throws(ItemStoreError) -> Value {
    try calls.sync { Result { () throws(ItemStoreError) in try body() } }.get()
  }
}

// MARK: - Opening, within a call

extension ItemDatabaseFile {
  /// The database that is at the path now.
  func found() throws(ItemStoreError) -> Found {
    // Asked with each call, so in one step.
    if let opened, let status = try? FileStatus(behind: path),
      opened.fileNumber == status.fileNumber, opened.isProtected == status.isProtected,
      opened.isCurrent(status)
    {
      return .items(opened)
    }
    close()
    let place = try place()
    guard let status = try status(of: place) else { return .absent }
    guard status.isRegular else {
      throw ItemStoreError(
        FileFailure(
          call: "open", path: path, errno: Errno(rawValue: status.isFolder ? EISDIR : EINVAL)),
        doing: "The items could not be opened")
    }
    return try open(place, status)
  }

  /// The database to write to, made where there is none.
  ///
  /// - Parameter isFilled: Whether the caller makes the tables of a new one, together with what goes
  ///   into them: others would take empty ones for a list without items.
  /// - Returns: The database, which is kept; one that is to be filled is to be kept by the caller.
  /// - Throws: ``ItemStoreError`` where it cannot be written to.
  func writable(isFilled: Bool = false) throws(ItemStoreError) -> Opened {
    // Others may put another file there at any time, but not again and again.
    for _ in 0..<10 {
      switch try found() {
      case .items(let opened):
        try requireWritable(opened)
        return opened
      case .empty(let opened):
        try requireWritable(opened)
        try prepare(opened, isOlder: !isFilled)
        if !isFilled { keep(opened) }
        return opened
      case .absent: try make()
      case .damaged(let failure): throw error(failure, doing: "The items could not be saved")
      }
    }
    throw ItemStoreError(.busy, "The items at \(path) could not be saved: the file comes and goes")
  }

  /// For the next calls.
  func keep(_ opened: Opened) { self.opened = opened }

  func close() { opened = nil }

  /// The file behind links.
  func place() throws(ItemStoreError) -> String {
    do throws(FileFailure) {
      return try AtomicFile.followingLinks(path)
    } catch {
      throw ItemStoreError(error, doing: "The items could not be opened")
    }
  }

  func status(of place: String) throws(ItemStoreError) -> FileStatus? {
    do throws(FileFailure) {
      return try FileStatus(ofFile: place)
    } catch {
      throw ItemStoreError(error, doing: "The items could not be opened")
    }
  }

  func error(_ failure: SQLiteFailure, doing what: String) -> ItemStoreError {
    ItemStoreError(failure, doing: what, at: path)
  }

  /// The error of a file that takes no changes.
  func refusal(_ opened: Opened) -> ItemStoreError {
    let reason =
      opened.isProtected
      ? "the file is read-only; make it writable"
      : "this program may only read the file; look at its permissions, or choose another place"
    return ItemStoreError(.notPermitted, "The items could not be saved at \(path): \(reason)")
  }

  func lock<Value>(
    _ place: String, _ body: () throws(ItemStoreError) -> Value
  ) throws(ItemStoreError) -> Value {
    let name = ItemLock.path(besides: place)
    let lock: FileLock?
    do throws(FileFailure) {
      lock = try FileLock(name, .exclusive, within: UInt64(patience) * 1_000_000)
    } catch {
      throw ItemStoreError(error, doing: "The items could not be locked")
    }
    guard lock != nil else {
      throw ItemStoreError(
        .busy, "The items at \(path) could not be locked: another program holds \(name)")
    }
    return try body()
  }

  private func open(_ place: String, _ status: FileStatus) throws(ItemStoreError) -> Found {
    let (opened, found): (Opened, ItemSchema.Found)
    do throws(SQLiteFailure) {
      let (connection, isUnchanging) = try connect(place, status)
      found = try schema.found(in: connection)
      openCount += 1
      opened = Opened(
        table: ItemTable(connection: connection), path: place, fileNumber: status.fileNumber,
        isWritable: !connection.isReadOnly, isProtected: status.isProtected,
        unchanging: isUnchanging ? status : nil, number: openCount)
    } catch {
      guard error.kind == .damaged else {
        throw self.error(error, doing: "The items could not be opened")
      }
      try requireNoList(place)
      return .damaged(error)
    }
    switch found {
    case .empty: return .empty(opened)
    case .current, .older: try prepare(opened, isOlder: found == .older)
    case .newer(let version):
      throw ItemStoreError(
        .newer,
        "The items at \(path) were written by a newer version of this program "
          + "(schema \(version), known is \(schema.version)); update it")
    case .foreign:
      throw ItemStoreError(
        .failed, "The items at \(path) were not opened: it is another program's database")
    }
    // Whoever has moved it away meanwhile may have put another one there.
    guard try self.status(of: place)?.fileNumber == status.fileNumber else {
      throw ItemStoreError(.busy, "The items at \(path) could not be opened: the file was replaced")
    }
    keep(opened)
    return .items(opened)
  }

  private func connect(
    _ place: String, _ status: FileStatus
  ) throws(SQLiteFailure) -> (SQLiteConnection, isUnchanging: Bool) {
    do throws(SQLiteFailure) {
      let connection = try SQLiteConnection(place, status.isProtected ? .readOnly : .readWrite)
      connection.patience = patience
      try connection.execute(
        """
        PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
        PRAGMA mmap_size = 0; SELECT count(*) FROM sqlite_schema
        """)
      return (connection, false)
    } catch {
      // In a folder that takes no files the log's index cannot be made. Without a log there is
      // nothing to look up in it, and nobody who writes.
      guard [.notPermitted, .system].contains(error.kind), Self.hasNoLog(place) else {
        throw error
      }
      return (try SQLiteConnection(place, .immutable), true)
    }
  }

  private static func hasNoLog(_ place: String) -> Bool {
    (try? FileStatus(ofFile: place + "-wal"))?.byteCount ?? 0 == 0
  }

  private func prepare(_ opened: Opened, isOlder: Bool) throws(ItemStoreError) {
    opened.connection.keepsLog = false
    if isOlder { try requireWritable(opened) }
    guard opened.isWritable else { return }
    do throws(SQLiteFailure) {
      try turnLogOn(opened.connection)
      if isOlder { try migrate(opened.connection) }
    } catch {
      throw self.error(error, doing: "The items could not be opened")
    }
  }

  /// SQLite does not wait for others who turn the log on at the same moment, whatever its patience.
  private func turnLogOn(_ connection: SQLiteConnection) throws(SQLiteFailure) {
    let end = ContinuousClock.now + .milliseconds(patience)
    while true {
      do throws(SQLiteFailure) {
        return try connection.execute("PRAGMA journal_mode = WAL")
      } catch {
        guard error.kind == .busy, ContinuousClock.now < end else { throw error }
        Thread.sleep(forTimeInterval: 0.002)
      }
    }
  }

  private func migrate(_ connection: SQLiteConnection) throws(SQLiteFailure) {
    try connection.transaction { () throws(SQLiteFailure) in try schema.migrate(connection) }
  }

  private func requireWritable(_ opened: Opened) throws(ItemStoreError) {
    guard opened.isWritable else { throw refusal(opened) }
  }

  private func make() throws(ItemStoreError) {
    let place = try place()
    do throws(FileFailure) {
      try Folder.make(AtomicFile.folder(of: place))
      // SQLite takes an empty file for a new database, and would give it a mode of its own. One that
      // is there must not be opened here: closing it would take SQLite's locks of this process away.
      do throws(FileFailure) {
        _ = try OpenFile(making: place, permissions: 0o666)
      } catch {
        guard error.errno == .exists else { throw error }
      }
      try Folder.synchronize(AtomicFile.folder(of: place))
    } catch {
      throw ItemStoreError(error, doing: "The items could not be saved")
    }
  }
}

extension FileStatus {
  /// Whether its owner has said that nobody writes to it.
  fileprivate var isProtected: Bool { permissions & 0o222 == 0 }
}
