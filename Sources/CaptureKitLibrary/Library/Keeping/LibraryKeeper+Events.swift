import LinuxSystem

/// What others do to the folders.
extension LibraryKeeper {
  /// Above this a folder is read as a whole.
  private static let nameLimit = 256

  func handle(_ events: FolderWatches.Events, _ watches: FolderWatches) {
    guard !events.isIncomplete else { return scanAll() }
    core.setSettled(false)
    let start = core.beginLooking()
    var isRootGone = false
    for number in events.ended {
      guard let folder = watched.folder(number) else { continue }
      watched.remove(folder, from: watches)
      if core.roots.contains(folder) { isRootGone = true }
    }
    // It may be back already, or another one in its place.
    guard !isRootGone else { return scanAll() }
    handleFolders(events, watches, since: start)
    handleFiles(events, since: start)
  }

  private func handleFolders(
    _ events: FolderWatches.Events, _ watches: FolderWatches, since start: UInt64
  ) {
    var tops: Set<RawPath> = []
    for (number, names) in events.folders {
      guard let folder = watched.folder(number) else { continue }
      for name in names where MediaNames.isForPictures(name) { tops.insert(folder.appending(name)) }
    }
    guard !tops.isEmpty, let catalog = core.catalog else { return }
    // One that lies in a folder of the library, and is one itself, is listed as that.
    guard tops.isDisjoint(with: core.roots) else { return scanAll() }
    for top in tops { watched.remove(top, from: watches) }
    var walk = FolderWalk(roots: core.roots, limits: core.limits)
    let ended = walk.walk(
      tops.sorted(), willRead: { watched.add($0, isRoot: $1, to: watches) },
      while: { !core.isStopped })
    guard ended else { return }
    let found = walk.scan.listings.map(\.folder) + walk.scan.unreadable
    let others = catalog.albums.filter { album in
      !tops.contains { album == $0 || album.lies(in: $0) }
    }
    commit(walk.scan, albums: Set(found + others).sorted(), since: start)
    if !watched.isComplete { scanAll() }
  }

  private func handleFiles(_ events: FolderWatches.Events, since start: UInt64) {
    var updates: [LibraryCatalog.Update] = []
    for (number, names) in events.files {
      guard let folder = watched.folder(number), let catalog = core.catalog else { continue }
      if names.count > Self.nameLimit {
        var walk = FolderWalk(roots: core.roots, limits: core.limits)
        walk.readAlone(folder)
        commit(walk.scan, albums: nil, since: start)
        continue
      }
      for name in names {
        let path = folder.appending(name)
        // What cannot be asked about stays as it is known.
        guard let stamp = try? FileStamp(ofFile: path) as FileStamp?? else { continue }
        if let update = catalog.update(for: path, stamp) { updates.append(update) }
      }
    }
    if !updates.isEmpty { apply(updates, since: start) }
  }
}
