import Foundation
import ItemModel
import LinuxSystem
import SQLiteAccess

// Databases that come and go as a whole.
extension ItemDatabaseFile {
  /// Makes a database where there is none; it is on the disk when this returns.
  ///
  /// - Parameters:
  ///   - contents: What it is to hold.
  ///   - permissions: Its mode.
  /// - Throws: `ItemStoreError`; nothing is there then.
  func make(_ contents: ItemContents, permissions: UInt32) throws(ItemStoreError) {
    let place = try place()
    // A log without its database would become part of the new one.
    for suffix in ["", "-wal", "-journal"] where try status(of: place + suffix) != nil {
      throw exists(suffix)
    }
    let folder = AtomicFile.folder(of: place)
    let number = String(UInt64.random(in: .min ... .max), radix: 36)
    let temporary = AtomicFile.joined(folder, AtomicFile.temporaryPrefix + number)
    do throws(FileFailure) {
      try Folder.make(folder)
      Leftovers.sweep(folder)
      let new = try OpenFile(making: temporary, permissions: 0o600)
      try new.setPermissions(permissions | 0o600, temporary)
    } catch {
      throw ItemStoreError(error, doing: "The items could not be saved")
    }
    do throws(ItemStoreError) {
      try fill(temporary, contents)
      try publish(temporary, at: place, permissions)
    } catch {
      _ = try? FileNames.remove(temporary)
      throw error
    }
  }

  /// Hands everything over, and takes the database away once that has worked. Nobody else may have
  /// it open meanwhile.
  func take(
    _ publish: (ItemContents, _ permissions: UInt32) throws(ItemStoreError) -> Void
  ) throws(ItemStoreError) {
    try call { () throws(ItemStoreError) in
      let stored = try load()
      if case .unreadable(let aside, let reason) = stored.result {
        throw ItemStoreError(
          .damaged,
          "The items at \(path) are damaged and were set aside as "
            + "\(aside.path(percentEncoded: false)): \(reason)")
      }
      guard case .items(let opened) = try found() else {
        throw ItemStoreError(.failed, "There are no items at \(path)")
      }
      guard opened.isWritable else { throw refusal(opened) }
      defer { close() }
      let contents = try attempt(opened, "The items could not be moved") {
        () throws(SQLiteFailure) in try contentsOfClosed(opened)
      }
      try publish(contents, try status(of: opened.path)?.permissions ?? 0o600)
      do throws(FileFailure) {
        try AtomicFile.remove(opened.path)
      } catch {
        throw ItemStoreError(error, doing: "The items were copied, and are still there")
      }
    }
  }

  /// All that there is, in a database that nobody else can open until it is closed.
  private func contentsOfClosed(_ opened: Opened) throws(SQLiteFailure) -> ItemContents {
    let connection = opened.connection
    connection.patience = min(patience, 1000)
    // Only one that nobody else has open can do without its log.
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE")
    try connection.execute("BEGIN EXCLUSIVE")
    return try opened.table.contents()
  }

  private func exists(_ suffix: String) -> ItemStoreError {
    ItemStoreError(.exists, "There is a file at \(path)\(suffix) already: choose another place")
  }

  private func fill(_ temporary: String, _ contents: ItemContents) throws(ItemStoreError) {
    let isSame: Bool
    do throws(SQLiteFailure) {
      let connection = try SQLiteConnection(temporary, .readWrite)
      // Nobody knows of it yet, and the whole file is written to the disk afterwards.
      try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      let table = ItemTable(connection: connection)
      isSame = try connection.transaction { () throws(SQLiteFailure) in
        try schema.migrate(connection)
        try table.fill(contents)
        return try table.contents().isSame(as: contents)
      }
    } catch {
      throw self.error(error, doing: "The items could not be saved")
    }
    guard isSame else {
      throw ItemStoreError(.failed, "The items at \(path) are not those that were written")
    }
  }

  private func publish(
    _ temporary: String, at place: String, _ permissions: UInt32
  ) throws(ItemStoreError) {
    do throws(FileFailure) {
      let new = try OpenFile(reading: temporary)
      try new.setPermissions(permissions, temporary)
      try new.synchronize(temporary)
      // Closing it once others have opened it would take SQLite's locks of this process away.
      try new.close(temporary)
      try FileNames.moveToFree(temporary, to: place)
      try Folder.synchronize(AtomicFile.folder(of: place))
    } catch {
      if error.errno == .exists { throw exists("") }
      throw ItemStoreError(error, doing: "The items could not be saved")
    }
  }
}
