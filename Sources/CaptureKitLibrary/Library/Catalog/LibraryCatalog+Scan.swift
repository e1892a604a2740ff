import LinuxSystem

/// What a walk through folders has found.
struct LibraryScan: Sendable {
  struct Listing: Sendable {
    let folder: RawPath
    let files: [(name: [UInt8], stamp: FileStamp)]
  }

  /// Folders that were read.
  var listings: [Listing] = []
  /// Folders below which everything was read: what is not in ``listings`` is gone.
  var tops: [RawPath] = []
  /// Folders that are there and could not be read: what is known of them stays.
  var unreadable: [RawPath] = []
  /// Folders of the library that are not there.
  var missingRoots: [RawPath] = []
  /// Whether there is more than a library may have.
  var isCut = false
}

extension LibraryCatalog {
  /// What a scan changes. Files that are as they were are not touched.
  func updates(for scan: LibraryScan) -> [Update] {
    var updates: [Update] = []
    var isSeen = [Bool](repeating: false, count: table.count)
    for listing in scan.listings {
      for file in listing.files {
        let path = listing.folder.appending(file.name)
        if let slot = slots[path] {
          isSeen[Int(slot)] = true
          if table[Int(slot)].stamp == file.stamp { continue }
        }
        if let update = update(for: path, file.stamp) { updates.append(update) }
      }
    }
    let isRead = areRead(by: scan)
    for (path, slot) in slots where isRead[Int(folderOf[Int(slot)])] && !isSeen[Int(slot)] {
      updates.append(.remove(path))
    }
    return updates
  }

  /// What a file's stamp changes; nil for nothing.
  func update(for path: RawPath, _ stamp: FileStamp?) -> Update? {
    guard let old = self[path] else {
      return stamp.map { .put(LibraryEntry(path: path, stamp: $0, kind: MediaNames.kind(path))) }
    }
    guard let stamp else { return .remove(path) }
    guard old.stamp != stamp else { return nil }
    var entry = old
    entry.stamp = stamp
    entry.isLookedAt = false
    // The date that the file says of itself stays until it says another one.
    if entry.isDateFromFile { entry.captured = stamp.modified / 1000 }
    return .put(entry)
  }

  /// For each folder's number, whether its files have to be among what was found.
  private func areRead(by scan: LibraryScan) -> [Bool] {
    let listed = Set(scan.listings.map(\.folder))
    return folderPaths.map { folder in
      if listed.contains(folder) { return !scan.isCut }
      if scan.unreadable.contains(where: { folder == $0 || folder.lies(in: $0) }) { return false }
      return !scan.isCut && scan.tops.contains { folder == $0 || folder.lies(in: $0) }
    }
  }
}
