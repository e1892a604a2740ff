public import Foundation
public import ItemModel
import SQLiteAccess

extension ItemStore {
  /// Opens the list in an SQLite database, which does not have to exist.
  ///
  /// ```swift
  /// let items = try ItemStore(database: inventoryURL)
  /// ```
  ///
  /// Everything that ``ItemStore`` promises holds, but each save is one transaction that writes what
  /// was edited and nothing else, and takes as long with a million items as with ten. An
  /// ``ItemDatabase`` works on the same file without reading all of it.
  ///
  /// - Parameter url: The database. Its folder is made when the items are saved.
  /// - Throws: `ItemStoreError` where a file exists but cannot be read, was written by a newer version
  ///   or by another program, or where it is damaged and cannot be renamed: then nothing was changed.
  ///   A damaged file that could be renamed is no error; see `loadResult`.
  public convenience init(database url: URL) throws(ItemStoreError) {
    try self.init(storage: DatabaseStorage(file: ItemDatabaseFile(url: url)))
  }
}

/// A store's items in a database.
struct DatabaseStorage: ItemStorage {
  let file: ItemDatabaseFile

  var url: URL { file.url }

  /// Commits go to the log, and count once they are on the disk; the database itself changes later.
  static let traces = SaveTraces(suffixes: ["", "-wal"], isGradual: true)

  var traces: SaveTraces { Self.traces }

  func load() throws(ItemStoreError) -> StoredItems {
    try file.call { () throws(ItemStoreError) in try file.load() }
  }

  func load(since version: ItemVersion) throws(ItemStoreError) -> StoredItems? {
    try file.call { () throws(ItemStoreError) in
      switch try file.found() {
      case .absent, .empty: return nil
      case .damaged: break
      case .items(let opened):
        let now = try file.attempt(opened, "The items could not be read") {
          () throws(SQLiteFailure) in try file.version(of: opened)
        }
        if now == version { return nil }
      }
      return try file.load()
    }
  }

  func save(
    since version: ItemVersion, _ merge: (FoundItems) -> ItemSave?
  ) throws(ItemStoreError) -> ItemVersion {
    try file.call { () throws(ItemStoreError) in
      let found = try file.found()
      do throws(Unread) {
        if case .items(let opened) = found {
          guard opened.isWritable else { return try refuse(opened, since: version, merge) }
          return try publish(in: opened, over: nil, since: version, merge)
        }
        return try publish(over: try missing(found), since: version, merge)
      } catch {
        if let other = error.reason { throw other }
        // Found out before anything was merged: set aside, and nothing is there any more.
        let stored = try file.load()
        do throws(Unread) {
          return try publish(over: .changed(stored), since: version, merge)
        } catch {
          throw error.reason
            ?? ItemStoreError(.damaged, "The items at \(file.path) are damaged again and again")
        }
      }
    }
  }
}

// MARK: - Steps of a save

extension DatabaseStorage {
  /// Why nothing was published; without a reason: what is there cannot be read, and was not merged.
  private struct Unread: Error {
    var reason: ItemStoreError?
  }

  /// What is to be merged where there is no list.
  private func missing(_ found: ItemDatabaseFile.Found) throws(Unread) -> FoundItems {
    guard case .damaged = found else { return .absent }
    do throws(ItemStoreError) {
      return .changed(try file.load())
    } catch {
      throw Unread(reason: error)
    }
  }

  /// Makes the database first.
  private func publish(
    over missing: FoundItems, since version: ItemVersion, _ merge: (FoundItems) -> ItemSave?
  ) throws(Unread) -> ItemVersion {
    let opened: ItemDatabaseFile.Opened
    do throws(ItemStoreError) {
      opened = try file.writable(isFilled: true)
    } catch {
      throw Unread(reason: error)
    }
    return try publish(in: opened, over: missing, since: version, merge)
  }

  /// `missing` is what was found where there was no list; others may have made one since.
  private func publish(
    in opened: ItemDatabaseFile.Opened, over missing: FoundItems?, since version: ItemVersion,
    _ merge: (FoundItems) -> ItemSave?
  ) throws(Unread) -> ItemVersion {
    var isMerged = false
    do throws(SQLiteFailure) {
      let newVersion = try opened.connection.transaction { () throws(SQLiteFailure) in
        if missing != nil { try file.schema.migrate(opened.connection) }
        let now = try file.version(of: opened)
        let found: FoundItems
        var isEmpty = false
        if let missing, try opened.table.isEmpty {
          (found, isEmpty) = (missing, true)
        } else if now == version {
          found = .unchanged
        } else {
          found = .changed(try file.stored(in: opened))
        }
        isMerged = true
        guard let save = merge(found) else { return now }
        if isEmpty {
          try opened.table.fill(save.contents)
        } else {
          try opened.table.apply(save.edits)
        }
        return now
      }
      file.keep(opened)
      return newVersion
    } catch {
      file.closeIfDamaged(error, opened)
      throw Unread(
        reason: error.kind == .damaged && !isMerged
          ? nil : file.error(error, doing: "The items could not be saved"))
    }
  }

  private func refuse(
    _ opened: ItemDatabaseFile.Opened, since version: ItemVersion,
    _ merge: (FoundItems) -> ItemSave?
  ) throws(Unread) -> ItemVersion {
    let (now, stored): (ItemVersion, StoredItems?)
    do throws(SQLiteFailure) {
      (now, stored) = try opened.connection.reading { () throws(SQLiteFailure) in
        let now = try file.version(of: opened)
        return (now, now == version ? nil : try file.stored(in: opened))
      }
    } catch {
      file.closeIfDamaged(error, opened)
      throw Unread(reason: file.error(error, doing: "The items could not be read"))
    }
    guard merge(stored.map { .changed($0) } ?? .unchanged) == nil else {
      throw Unread(reason: file.refusal(opened))
    }
    return now
  }
}
