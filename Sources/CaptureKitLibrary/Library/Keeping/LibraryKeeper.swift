import LinuxSystem

/// The thread that keeps a library's list right: reads the index, walks through the folders, looks
/// at files, watches, and saves. Nobody else waits for the disk in this.
final class LibraryKeeper {
  let core: LibraryCore
  private let index: LibraryIndex
  private var indexState = IndexState.unopened
  private enum IndexState { case unopened, open, unusable }
  /// Files to look at, the next one last.
  private var pending: [RawPath] = []
  /// What looks have shown and is not in the list yet.
  private var looked: [LibraryCatalog.Update] = []
  private var lookStart: UInt64 = 0
  private var lastFlush: UInt64 = 0
  private var unsaved: Set<RawPath> = []
  private var areAllUnsaved = false
  private var areAlbumsUnsaved = false
  private var lastSave: UInt64 = 0
  /// When the folders are to be read anew, though nothing is told of them.
  private var nextScan: UInt64?
  var watched = WatchedFolders()

  private static let batchCount = 32
  private static let flushInterval: UInt64 = 250_000_000
  private static let saveInterval: UInt64 = 1_000_000_000
  private static let missingInterval: UInt64 = 2_000_000_000
  private static let pollInterval: UInt64 = 5_000_000_000
  /// Above this a list of all files is made anew instead of being added to.
  private static let rebuildCount = 1000

  init(_ core: LibraryCore) {
    self.core = core
    index = LibraryIndex(path: core.indexPath)
  }

  private var now: UInt64 { LinuxKernel().monotonicNanoseconds() }

  func run() {
    loadIndex()
    scanAll()
    while !core.isStopped { step() }
    flush()
    save()
    index.close()
  }

  private func loadIndex() {
    guard index.open() else { return }
    indexState = .open
    guard let kept = index.load() else { return }
    // Another program may have put anything there.
    func isOurs(_ path: RawPath) -> Bool {
      core.roots.contains { path.parts(within: $0) != nil }
    }
    let catalog = LibraryCatalog(
      kept.entries.filter { isOurs($0.path) }, albums: kept.albums.filter(isOurs))
    core.begin(with: catalog, isReload: false)
  }

  private func step() {
    lookAtSome()
    if isFlushDue { flush() }
    let isIdle = pending.isEmpty && looked.isEmpty
    unsaved.formUnion(core.takeUnsaved())
    // A program that ends when the order has settled finds it so the next time.
    if hasUnsaved, now >= lastSave + Self.saveInterval || isIdle && core.isAwaited { save() }
    if isIdle { core.setSettled(true) }
    let deadlines = [
      isIdle ? nil : 0, nextScan, hasUnsaved && isIdle ? lastSave + Self.saveInterval : nil,
    ]
    wait(until: deadlines.compactMap { $0 }.min())
    if core.takeScanRequest() || nextScan.map({ now >= $0 }) == true { scanAll() }
  }

  private func wait(until deadline: UInt64?) {
    guard let watches = core.watches else {
      if deadline != 0 { core.waitForBell(until: deadline) }
      return
    }
    let events = watches.wait(until: deadline)
    if !events.isEmpty { handle(events, watches) }
  }
}

// MARK: - Folders

extension LibraryKeeper {
  /// Walks through all folders.
  func scanAll() {
    let begin = now
    let start = core.beginLooking()
    var walk = FolderWalk(roots: core.roots, limits: core.limits)
    watched.isComplete = core.watches != nil
    let ended = walk.walk(
      core.roots, willRead: { watched.add($0, isRoot: $1, to: core.watches) },
      while: { !core.isStopped })
    guard ended else { return }
    let folders = walk.scan.listings.map(\.folder) + walk.scan.unreadable
    commit(walk.scan, albums: Set(folders).subtracting(core.roots).sorted(), since: start)
    core.setMissing(walk.scan.missingRoots)
    let duration = now - begin
    nextScan =
      if !watched.isComplete {
        now + max(Self.pollInterval, 20 * duration)
      } else if !walk.scan.missingRoots.isEmpty {
        now + max(Self.missingInterval, 20 * duration)
      } else {
        nil
      }
  }

  /// Brings what was found into the list.
  func commit(_ scan: LibraryScan, albums: [RawPath]?, since start: UInt64) {
    if let catalog = core.catalog {
      note(core.apply(catalog.updates(for: scan), albums: albums, since: start))
      return
    }
    let entries = LibraryCatalog().updates(for: scan).compactMap { update in
      if case .put(let entry) = update { entry } else { nil }
    }
    core.begin(with: LibraryCatalog(entries, albums: albums ?? []), isReload: true)
    areAllUnsaved = true
    fillPending()
  }

  func apply(_ updates: [LibraryCatalog.Update], albums: [RawPath]? = nil, since start: UInt64) {
    note(core.apply(updates, albums: albums, since: start))
  }

  private func note(_ difference: LibraryCatalog.Difference) {
    guard !difference.isEmpty || pending.isEmpty else { return }
    unsaved.formUnion(difference.touched)
    if difference.hasOtherAlbums { areAlbumsUnsaved = true }
    guard let catalog = core.catalog, catalog.unlookedCount > 0 else { return }
    if difference.touched.count > Self.rebuildCount || pending.isEmpty {
      return fillPending()
    }
    pending += difference.touched.filter { catalog[$0]?.isLookedAt == false }
    if !pending.isEmpty { core.setSettled(false) }
  }

  /// All that nobody has looked at: the newest first, what is no picture by its name last.
  private func fillPending() {
    guard let catalog = core.catalog else { return }
    let unlooked = catalog.entries.filter { !$0.isLookedAt }
    let (others, media) = (
      unlooked.filter { $0.kind == .other }, unlooked.filter { $0.kind != .other }
    )
    pending =
      others.map(\.path)
      + media.sorted { LibraryEntry.comesFirst($1, $0) }.map(\.path)
    if !pending.isEmpty { core.setSettled(false) }
  }
}

// MARK: - Files

extension LibraryKeeper {
  private func lookAtSome() {
    let wanted = core.takeWanted(Self.batchCount)
    let paths = wanted + pending.suffix(Self.batchCount - wanted.count).reversed()
    guard !paths.isEmpty, let catalog = core.catalog else { return }
    pending.removeLast(paths.count - wanted.count)
    if looked.isEmpty { lookStart = core.beginLooking() }
    for path in paths {
      // Looked at already where it was wanted before its turn.
      guard let entry = catalog[path], !entry.isLookedAt else { continue }
      looked.append(MediaLook.look(at: entry).map { .look($0) } ?? .remove(path))
    }
    if !wanted.isEmpty { flush() }
  }

  private var isFlushDue: Bool {
    !looked.isEmpty && (pending.isEmpty || now >= lastFlush + Self.flushInterval)
  }

  private func flush() {
    lastFlush = now
    guard !looked.isEmpty else { return }
    let updates = looked
    looked = []
    let difference = core.apply(updates, albums: nil, since: lookStart)
    unsaved.formUnion(difference.touched)
  }
}

// MARK: - Saving

extension LibraryKeeper {
  private var hasUnsaved: Bool { !unsaved.isEmpty || areAllUnsaved || areAlbumsUnsaved }

  /// What is not saved is found out anew the next time.
  private func save() {
    lastSave = now
    unsaved.formUnion(core.takeUnsaved())
    defer { (unsaved, areAllUnsaved, areAlbumsUnsaved) = ([], false, false) }
    guard hasUnsaved, indexState != .unusable, let catalog = core.catalog else { return }
    if indexState == .open, areAllUnsaved || index.save(unsaved, of: catalog, areAlbumsUnsaved) {
      guard areAllUnsaved else { return }
    }
    // None yet, or a damaged one.
    let isMade =
      index.make() && index.save(catalog.entries.lazy.map(\.path), of: catalog, true)
    indexState = isMade ? .open : .unusable
  }
}
