import ItemModel
import LinuxSystem
import SQLiteAccess
import Synchronization

extension ItemDatabaseFile {
  /// Reads with one statement, which sees one state.
  ///
  /// - Parameter body: Reads.
  /// - Returns: nil where there is no database.
  /// - Throws: ``ItemStoreError`` where it cannot be read.
  func read<Value>(
    _ body: (ItemTable) throws(SQLiteFailure) -> Value
  ) throws(ItemStoreError) -> Value? {
    try call { () throws(ItemStoreError) in
      switch try found() {
      case .absent, .empty: return nil
      case .damaged(let failure): throw error(failure, doing: "The items could not be read")
      case .items(let opened):
        return try attempt(opened, "The items could not be read") { () throws(SQLiteFailure) in
          try body(opened.table)
        }
      }
    }
  }

  /// Writes in one transaction; makes the database where there is none.
  func write<Value>(
    _ body: (ItemTable) throws(SQLiteFailure) -> Value
  ) throws(ItemStoreError) -> Value {
    try call { () throws(ItemStoreError) in
      let opened = try writable()
      return try attempt(opened, "The items could not be saved") { () throws(SQLiteFailure) in
        try opened.connection.transaction { () throws(SQLiteFailure) in try body(opened.table) }
      }
    }
  }

  /// Within a call. The next one opens a damaged database anew, and finds out what is wrong with it.
  func attempt<Value>(
    _ opened: Opened, _ what: String, _ body: () throws(SQLiteFailure) -> Value
  ) throws(ItemStoreError) -> Value {
    do throws(SQLiteFailure) {
      return try body()
    } catch {
      closeIfDamaged(error, opened)
      throw self.error(error, doing: what)
    }
  }

  /// Another one with every commit of others; nil where there is nothing to be read.
  var currentVersion: ItemVersion? {
    let current = try? call { () throws(ItemStoreError) -> ItemVersion? in
      guard case .items(let opened) = try found() else { return nil }
      return try attempt(opened, "The items could not be read") {
        () throws(SQLiteFailure) in try version(of: opened)
      }
    }
    return current ?? nil
  }
}

/// The version that somebody has seen last.
final class LastVersion: Sendable {
  private let version = Mutex<ItemVersion?>(nil)

  func isNew(_ now: ItemVersion?) -> Bool {
    version.withLock { version in
      defer { version = now }
      return version != now
    }
  }
}
