import Foundation
import ImageCache
import Imaging
import ItemModel
import ItemModelSQLite
import WebServer

/// The items and their pictures, for all pages: what one changes, the others are told.
///
/// A change is on the disk when its call returns.
actor Inventory {
  /// Why a change was not made.
  enum Refusal: Error {
    /// Somebody has deleted the item.
    case gone
    /// Somebody else was faster; the item as it is now.
    case conflict(ItemRow)
    /// It is made, but not on the disk; it is tried again.
    case unsaved(String)
  }

  /// All that a page needs to begin with.
  struct Snapshot: Encodable {
    let epoch: String
    let revision: Int
    let items: [ItemRow]
  }

  private let items: ItemStore
  private let images: ImageStore
  private let autosave: ItemAutosave
  private let events = Broadcast(.all(atMost: 4 << 20))
  private var photos: [String: String] = [:]
  private var rows: [ItemRow] = []
  private var log: ChangeLog
  /// The snapshot of the last change, made once for all pages.
  private var snapshot: Data?

  init(folder: URL, lifecycle: AppLifecycle, failed: @escaping @Sendable (String) -> Void) throws {
    // The user's own; where it cannot be made, the store says why.
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    items = try ItemStore(database: folder.appending(path: "items.sqlite"))
    images = try ImageStore(directory: folder.appending(path: "images"))
    autosave = ItemAutosave(items, lifecycle: lifecycle) { failed("\($0)") }
    log = ChangeLog(epoch: String(UInt64.random(in: 0...UInt64.max), radix: 36))
    for key in try images.keys() { photos[key] = log.epoch }
    rows = items.allItems.map { [photos] in ItemRow($0, photo: photos[$0.itemKey]) }
  }

  /// What was found on the disk, where that is worth a sentence.
  nonisolated var warning: String? {
    guard case .unreadable(let moved, let reason) = items.loadResult else { return nil }
    return "The items were damaged, and lie in \(moved.path) now. \(reason)"
  }

  /// Tells pages what other programs do to the same items, as long as it runs, and that the
  /// connection is alive.
  func watch() async {
    await withDiscardingTaskGroup { group in
      group.addTask {
        for await changes in self.items.changes {
          await self.publish(conflicts: changes.conflicts.count)
        }
      }
      group.addTask {
        while (try? await Task.sleep(for: .seconds(15))) != nil {
          await self.tell(Data(": alive\n\n".utf8))
        }
      }
    }
  }
}

// MARK: - Pages

extension Inventory {
  /// Everything, as JSON.
  func everything() throws -> Data {
    if let snapshot { return snapshot }
    let made = try JSONEncoder().encode(
      Snapshot(epoch: log.epoch, revision: log.revision, items: rows))
    snapshot = made
    return made
  }

  /// Adds a page that wants to hear of changes.
  func add(_ connection: OpenConnection, after last: String?) {
    let headers = """
      HTTP/1.1 200 OK\r
      Content-Type: text/event-stream\r
      Cache-Control: no-store\r
      X-Content-Type-Options: nosniff\r
      Connection: close\r
      \r
      retry: 1000


      """
    events.add(connection, first: Data(headers.utf8) + log.greeting(after: last))
  }

  /// Tells all pages something.
  func tell(_ event: Data) { events.send(head: Array(event), body: Data().bytes) }

  /// Tells all pages what has changed since they were told last.
  private func publish(conflicts: Int = 0) {
    let now = items.allItems.map { ItemRow($0, photo: photos[$0.itemKey]) }
    guard var change = ListChange(from: rows, to: now) else { return }
    if conflicts > 0 { change.conflicts = conflicts }
    rows = now
    snapshot = nil
    tell(log.append(change))
  }
}

// MARK: - Items

extension Inventory {
  /// Adds items at the end.
  ///
  /// - Returns: The key of the last.
  func create(_ values: [ItemEdit.Values]) throws -> String? {
    var last: String?
    for value in values {
      var item = Item(name: "", valueInDollars: 0)
      value.apply(to: &item)
      items.insert(item)
      last = item.itemKey
    }
    try finish()
    return last
  }

  /// Changes an item, where it is what the page believes.
  func update(_ key: String, _ edit: ItemEdit) throws {
    guard var item = items.item(forKey: key) else { throw Refusal.gone }
    if let was = edit.was, !was.match(item), !edit.set.match(item) {
      throw Refusal.conflict(ItemRow(item, photo: photos[key]))
    }
    edit.set.apply(to: &item)
    items.update(item)
    try finish()
  }

  /// Puts an item at another place.
  func move(_ key: String, to index: Int) throws {
    guard items.moveItem(forKey: key, to: index) else { throw Refusal.gone }
    try finish()
  }

  /// Deletes an item with its picture.
  func remove(_ key: String) throws {
    guard items.removeItem(forKey: key) != nil else { throw Refusal.gone }
    try finish()
    // After the item: one without a picture is better than a picture that nobody finds.
    try images.deleteImage(forKey: key)
    photos[key] = nil
  }

  private func finish() throws {
    publish()
    do throws(ItemStoreError) {
      try items.saveChanges()
    } catch {
      throw Refusal.unsaved("\(error)")
    }
  }
}

// MARK: - Pictures

extension Inventory {
  /// Gives an item a picture, or takes it away.
  func setPicture(_ image: Image?, of key: String) throws {
    guard items.item(forKey: key) != nil else { throw Refusal.gone }
    if let image {
      try images.setImage(image, forKey: key)
      photos[key] = "\(log.epoch).\(log.revision + 1)"
    } else {
      try images.deleteImage(forKey: key)
      photos[key] = nil
    }
    publish()
  }

  /// The picture of an item, or a small one; nil where it has none.
  nonisolated func picture(of key: String, maxPixelSize: Int?) async throws -> Image? {
    if let maxPixelSize {
      return try await images.loadThumbnail(forKey: key, maxPixelSize: maxPixelSize)
    }
    return try await images.loadImage(forKey: key)
  }
}
