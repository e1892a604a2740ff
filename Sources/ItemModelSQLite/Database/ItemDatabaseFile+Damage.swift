import Foundation
import ItemModel
import LinuxSystem
import SQLiteAccess

// What is no database, or damaged, is set aside and never written to.
extension ItemDatabaseFile {
  /// Reads everything, within a call.
  func load() throws(ItemStoreError) -> StoredItems {
    if let stored = try attempt() { return stored }
    let place = try place()
    return try lock(place) { () throws(ItemStoreError) in
      // Another process may have set it aside already.
      if let stored = try attempt() { return stored }
      return StoredItems(result: try setAside(place))
    }
  }

  /// nil where the database is damaged, which is then closed.
  private func attempt() throws(ItemStoreError) -> StoredItems? {
    switch try found() {
    case .absent, .empty: return StoredItems(result: .absent)
    case .damaged: return nil
    case .items(let opened):
      do throws(SQLiteFailure) {
        return try opened.connection.reading { () throws(SQLiteFailure) in
          try stored(in: opened)
        }
      } catch {
        closeIfDamaged(error, opened)
        guard error.kind == .damaged else {
          throw self.error(error, doing: "The items could not be read")
        }
        return nil
      }
    }
  }

  /// All that there is, within a transaction.
  func stored(in opened: Opened) throws(SQLiteFailure) -> StoredItems {
    StoredItems(
      contents: try opened.table.contents(), result: .loaded, version: try version(of: opened))
  }

  func version(of opened: Opened) throws(SQLiteFailure) -> ItemVersion {
    // Those of another connection say nothing about this one's.
    let commits = try opened.table.commitsOfOthers()
    return ItemVersion(generation: opened.number << 32 | commits & 0xFFFF_FFFF)
  }

  /// The next call opens it anew, and finds out what is wrong with it.
  func closeIfDamaged(_ failure: SQLiteFailure, _ opened: Opened) {
    guard failure.kind == .damaged else { return }
    opened.connection.keepsLog = true
    close()
  }

  /// Another storage's file is not damaged.
  func requireNoList(_ place: String) throws(ItemStoreError) {
    guard let bytes = try? AtomicFile.beginning(of: place, 16) else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    guard ["bplist", "<?xml", "<!DOCTYPE", "<plist"].contains(where: text.hasPrefix) else { return }
    throw ItemStoreError(
      .failed,
      "The items at \(path) were not opened: it is a property list; open it with "
        + "ItemStore(contentsOf:), or move it into a database")
  }

  private func setAside(_ place: String) throws(ItemStoreError) -> ItemStore.LoadResult {
    var reason = "It is no database of items."
    if case .damaged(let failure) = try found() { reason = "\(failure.message)." }
    close()
    do throws(FileFailure) {
      let newPath = try AtomicFile.moveAside(place, suffix: ".unreadable")
      // Its log may hold more than it does itself.
      for suffix in ["-wal", "-shm"] where try FileStatus(ofFile: place + suffix) != nil {
        try FileNames.move(place + suffix, to: newPath + suffix)
      }
      return .unreadable(movedTo: URL(filePath: newPath), reason: reason)
    } catch {
      throw ItemStoreError(
        .damaged,
        "\(path) is damaged and could not be renamed: \(error.explanation) \(reason)",
        errno: error.errno.rawValue)
    }
  }
}
