package import Foundation
import LinuxSystem

/// Takes lists away and puts them there, for whoever keeps items in another way.
package enum ItemListMoving {
  /// Hands a list over, and takes its file away once that has worked. Nobody saves meanwhile.
  ///
  /// - Parameters:
  ///   - url: The list's file.
  ///   - publish: Is given what the file holds, and its mode.
  /// - Throws: ``ItemStoreError``; the list is there still.
  package static func take(
    _ url: URL,
    _ publish: (ItemContents, _ permissions: UInt32) throws(ItemStoreError) -> Void
  ) throws(ItemStoreError) {
    let file = try ItemFile(url: url)
    let place = try file.reading { () throws(FileFailure) in try file.place() }
    guard let status = try file.status(at: place) else { throw file.absent }
    guard status.permissions & 0o222 != 0 else { throw file.protected }
    try file.locked(place) { _ throws(ItemStoreError) in
      let stored = try file.read(isLocked: true)
      switch stored.result {
      case .absent: throw file.absent
      case .unreadable(let aside, let reason):
        throw ItemStoreError(
          .damaged,
          "The items at \(file.path) are damaged and were set aside as "
            + "\(aside.path(percentEncoded: false)): \(reason)")
      case .loaded: try publish(stored.contents, status.permissions)
      }
      try file.saving { () throws(FileFailure) in _ = try AtomicFile.remove(place.file) }
    }
  }

  /// Writes a list where there is none; it is on the disk when this returns.
  ///
  /// - Parameters:
  ///   - url: The list's file.
  ///   - contents: What it is to hold.
  ///   - permissions: Its mode.
  /// - Throws: ``ItemStoreError``, with `exists` where something is there.
  package static func make(
    _ url: URL, _ contents: ItemContents, permissions: UInt32
  ) throws(ItemStoreError) {
    let file = try ItemFile(url: url, permissions: permissions)
    let place = try file.reading { () throws(FileFailure) in try file.place() }
    // Else what is damaged there would be set aside.
    guard try file.status(at: place) == nil else { throw file.exists }
    var isFree = false
    _ = try file.save(since: ItemVersion()) { found in
      guard case .absent = found else { return nil }
      isFree = true
      return ItemSave(
        list: ItemList(contents.items), unreadable: contents.unreadable,
        unsaved: UnsavedEdits(from: []))
    }
    guard isFree else { throw file.exists }
    let stored = try file.load()
    guard stored.contents.isSame(as: contents) else {
      throw ItemStoreError(.failed, "The items at \(file.path) are not those that were written")
    }
  }
}

extension ItemContents {
  /// Whether nothing differs that a file holds.
  package func isSame(as other: ItemContents) -> Bool {
    items.elementsEqual(other.items) { $0.written == $1.written }
      && unreadable.map(\.value.written) == other.unreadable.map(\.value.written)
      && unreadable.map(\.position) == other.unreadable.map(\.position)
  }
}

extension Item {
  fileprivate var written: Item {
    guard !unknownValues.isEmpty else { return self }
    var item = self
    item.unknownValues = unknownValues.mapValues(\.written)
    return item
  }
}

extension ItemValue {
  /// What is read after this was written: neither storage has a null.
  fileprivate var written: ItemValue {
    switch self {
    case .null: .text("$null")
    case .list(let values): .list(values.map(\.written))
    case .fields(let fields): .fields(fields.mapValues(\.written))
    default: self
    }
  }
}

extension ItemFile {
  fileprivate var absent: ItemStoreError {
    ItemStoreError(.failed, "There are no items at \(path)")
  }

  fileprivate var exists: ItemStoreError {
    ItemStoreError(.exists, "There is a file at \(path) already: choose another place")
  }

  fileprivate func status(at place: Place) throws(ItemStoreError) -> FileStatus? {
    try reading { () throws(FileFailure) in try FileStatus(ofFile: place.file) }
  }
}
