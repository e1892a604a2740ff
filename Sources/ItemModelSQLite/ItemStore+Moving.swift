public import Foundation
public import ItemModel

// From one storage to the other, in one call.
extension ItemStore {
  /// Moves the items of a property list, or of a JSON file, into a new database.
  ///
  /// Everything comes along: the order, values and categories of newer versions, what could not be
  /// read, and the file's mode. The list is there until the database is whole and on the disk, so
  /// that after a crash at any moment at least one of them holds everything: where both are there,
  /// each does, and one can be deleted. Nobody can save to the list meanwhile. Stores that have it
  /// open are not told: open the database instead.
  ///
  /// - Parameters:
  ///   - list: The list's file, which is gone afterwards.
  ///   - database: Where nothing is yet.
  /// - Throws: `ItemStoreError`, with `exists` where there is something already; the list is then what
  ///   it was.
  public static func move(
    propertyList list: URL, toDatabase database: URL
  ) throws(ItemStoreError) {
    let file = try ItemDatabaseFile(url: database)
    try ItemListMoving.take(list) { contents, permissions throws(ItemStoreError) in
      try file.make(contents, permissions: permissions)
    }
  }

  /// Moves the items of a database into a new property list.
  ///
  /// What ``move(propertyList:toDatabase:)`` promises holds for this one, too.
  ///
  /// - Parameters:
  ///   - database: The database, which is gone afterwards. Nobody else may have it open.
  ///   - list: Where nothing is yet.
  /// - Throws: `ItemStoreError`, with `busy` where somebody else has the database open, and `exists`
  ///   where there is something already; the database is then what it was.
  public static func move(
    database: URL, toPropertyList list: URL
  ) throws(ItemStoreError) {
    try ItemDatabaseFile(url: database).take { contents, permissions throws(ItemStoreError) in
      try ItemListMoving.make(list, contents, permissions: permissions)
    }
  }
}
