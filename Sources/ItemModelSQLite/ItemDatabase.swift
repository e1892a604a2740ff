public import Foundation
public import ItemModel
import LinuxSystem
import SQLiteAccess

/// An inventory that is never read whole: for lists of which only a page is on the screen.
///
/// ```swift
/// let inventory = try ItemDatabase(contentsOf: inventoryURL)
/// let page = try inventory.items(limit: 50)
/// try inventory.updateItem(forKey: page[0].itemKey) { $0.valueInDollars = 12 }
/// ```
///
/// Each change is one small transaction: when the call returns it is on the disk, and it takes as
/// long with a million items as with ten. Several of these, stores made by `ItemStore(database:)`,
/// other processes and other programs may have the same database open. All calls may come from any
/// thread, and block for as long as the disk takes and others write; after twenty seconds of that
/// they throw.
public final class ItemDatabase: Sendable {
  let file: ItemDatabaseFile
  /// What was found when the database was opened.
  ///
  /// Tell the user where it is `unreadable`: the items are not lost.
  public let loadResult: ItemStore.LoadResult

  /// Opens a database, which does not have to exist; the first change makes it.
  ///
  /// - Parameter url: The database. Its folder is made with it.
  /// - Throws: `ItemStoreError` where a file exists but cannot be read, was written by a newer version
  ///   or by another program, or where it is damaged and cannot be renamed: then nothing was changed.
  public convenience init(contentsOf url: URL) throws(ItemStoreError) {
    try self.init(file: ItemDatabaseFile(url: url))
  }

  init(file: ItemDatabaseFile) throws(ItemStoreError) {
    self.file = file
    loadResult = try file.call { () throws(ItemStoreError) in
      switch try file.found() {
      case .absent, .empty: .absent
      case .items: .loaded
      case .damaged: try file.load().result
      }
    }
  }

  /// The database's file.
  public var fileURL: URL { file.url }

  // MARK: - Reading

  /// The item of a key; nil where there is none.
  ///
  /// - Throws: `ItemStoreError` where the database cannot be read.
  public func item(forKey key: String) throws(ItemStoreError) -> Item? {
    try file.read { table throws(SQLiteFailure) in try table.item(forKey: key) } ?? nil
  }

  /// A page of the items that a query is for.
  ///
  /// In the list's order a page comes at once, the later the further it is from the first. What
  /// is to be sorted or compared with a part of a name is looked at whole, and sorting by name takes
  /// longest: people's rules for names are not those of SQLite.
  ///
  /// - Parameters:
  ///   - query: Which items, and their order; without it all in the list's order.
  ///   - offset: How many of them come before the page.
  ///   - limit: The most that are returned.
  /// - Returns: The items.
  /// - Throws: `ItemStoreError` where the database cannot be read.
  public func items(
    matching query: ItemQuery = ItemQuery(), offset: Int = 0, limit: Int
  ) throws(ItemStoreError) -> [Item] {
    try file.read { table throws(SQLiteFailure) in
      try table.items(matching: query, offset: max(0, offset), limit: max(0, limit))
    } ?? []
  }

  /// How many items a query is for, and what they are worth together.
  ///
  /// - Parameter query: Which items; without it all.
  /// - Returns: The totals.
  /// - Throws: `ItemStoreError` where the database cannot be read.
  public func totals(
    matching query: ItemQuery = ItemQuery()
  ) throws(ItemStoreError) -> ItemTotals {
    try file.read { table throws(SQLiteFailure) in try table.totals(matching: query) }
      ?? ItemTotals()
  }

  // MARK: - Changing

  /// Puts an item into the list.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - successor: The key of the item that it is to stand before; nil, or one that is not there,
  ///     for the end.
  /// - Returns: false where an item of that key is there already; nothing has changed then.
  /// - Throws: `ItemStoreError` where the database cannot be written; nothing has changed then.
  @discardableResult
  public func insert(
    _ item: Item, before successor: String? = nil
  ) throws(ItemStoreError) -> Bool {
    try file.write { table throws(SQLiteFailure) in
      guard try table.position(of: item.itemKey) == nil else { return false }
      try table.insert(item, at: try table.room(before: successor))
      return true
    }
  }

  /// Changes the item of a key, from what it is in the database: what others have saved meanwhile
  /// is not lost.
  ///
  /// - Parameters:
  ///   - key: The item's key.
  ///   - change: Changes the item; called again where others change it at the same time.
  /// - Returns: The changed item; nil where there is none of that key.
  /// - Throws: `ItemStoreError` where the database cannot be written; nothing has changed then.
  @discardableResult
  public func updateItem(
    forKey key: String, _ change: (inout Item) -> Void
  ) throws(ItemStoreError) -> Item? {
    for _ in 0..<1000 {
      guard let old = try item(forKey: key) else { return nil }
      var new = old
      change(&new)
      if new == old { return new }
      // Not within the transaction: whoever changes items may take long, and may call back.
      let isDone = try file.write { table throws(SQLiteFailure) in
        guard try table.item(forKey: key) == old else { return false }
        return try table.update(new)
      }
      if isDone { return new }
    }
    throw ItemStoreError(.busy, "The item \(key) is changed by others again and again")
  }

  /// Puts an item at another place of the list.
  ///
  /// - Parameters:
  ///   - key: The item's key.
  ///   - successor: The key of the item that it is to stand before; nil, or one that is not there,
  ///     for the end.
  /// - Returns: false where there is no item of that key; nothing has changed then.
  /// - Throws: `ItemStoreError` where the database cannot be written; nothing has changed then.
  @discardableResult
  public func moveItem(
    forKey key: String, before successor: String?
  ) throws(ItemStoreError) -> Bool {
    try file.write { table throws(SQLiteFailure) in
      guard try table.item(forKey: key) != nil else { return false }
      if key != successor { try table.move(key, to: try table.room(before: successor)) }
      return true
    }
  }

  /// Takes an item out of the list.
  ///
  /// - Parameter key: The item's key.
  /// - Returns: The item; nil where there was none.
  /// - Throws: `ItemStoreError` where the database cannot be written; nothing has changed then.
  @discardableResult
  public func removeItem(forKey key: String) throws(ItemStoreError) -> Item? {
    try file.write { table throws(SQLiteFailure) in
      guard let item = try table.item(forKey: key) else { return nil }
      try table.remove(key)
      return item
    }
  }

  // MARK: - Changes of anybody

  /// An element after each change of the database, by this object, others and other processes: read
  /// your page again. What happens while nobody reads is one element.
  ///
  /// It ends when its task is cancelled. An `ItemStore` says which items have changed.
  public var changes: AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      // A connection of its own sees the commits of this object, too.
      let watcher = FileWatcher()
      guard let other = try? ItemDatabaseFile(url: file.url) else {
        return continuation.finish()
      }
      let last = LastVersion()
      _ = last.isNew(other.currentVersion)
      watcher.start(other.path, DatabaseStorage.traces) {
        if last.isNew(other.currentVersion) { continuation.yield() }
        return true
      }
      continuation.onTermination = { _ in watcher.end() }
    }
  }
}
