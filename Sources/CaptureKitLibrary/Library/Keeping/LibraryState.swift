import LinuxSystem

/// What a library's threads share; changed under a lock, without side effects.
struct LibraryState {
  typealias Waiter = CheckedContinuation<Void, any Error>

  private(set) var catalog = LibraryCatalog()
  /// Whether the catalog is that of the index or of the folders, not an empty one.
  private(set) var isReady = false
  var isStopped = false
  /// Counts this library's own changes; a walk that began before one does not undo it.
  private(set) var tick: UInt64 = 0
  /// What this library has put into the trash, and when.
  private var thrownAway: [RawPath: UInt64] = [:]
  /// Changed by others than the keeper, which has to save that.
  private var unsaved: Set<RawPath> = []
  /// Files that somebody looks at, the newest wish last.
  private var wanted: [RawPath] = []
  private static let wantedLimit = 1000

  private var nextWaiter: UInt64 = 0
  private var readyWaiters: [UInt64: Waiter] = [:]
  private var settledWaiters: [UInt64: Waiter] = [:]
  private(set) var isSettled = false
  /// Whether a folder was made that is to be watched.
  private var wantsScan = false
  var missingRoots: [RawPath] = []
  private(set) var subscriptions: [ObjectIdentifier: WeakSubscription] = [:]

  struct WeakSubscription { weak var subscription: ChangeSubscription? }

  /// Whether something was added before the catalog was there.
  var hasEarlyEntries: Bool { !isReady && catalog.entryCount > 0 }
}

// MARK: - Changing

extension LibraryState {
  /// The keeper has read the index or the folders for the first time.
  mutating func begin(
    with loaded: LibraryCatalog
  ) -> (difference: LibraryCatalog.Difference, waiters: [Waiter]) {
    let early = catalog.entries.map(LibraryCatalog.Update.put)
    catalog = loaded
    // What went into the trash while it was read is no longer there.
    let difference = catalog.apply(early + thrownAway.keys.map { .remove($0) })
    isReady = true
    defer { readyWaiters = [:] }
    return (difference, Array(readyWaiters.values))
  }

  /// The keeper has found something out. What this library has done since the ``tick`` when it
  /// began to look is newer.
  mutating func apply(
    _ updates: [LibraryCatalog.Update], albums: [RawPath]?, since start: UInt64
  ) -> LibraryCatalog.Difference {
    let updates = updates.filter { update in
      if let moment = thrownAway[update.path], moment > start { return false }
      return (catalog[update.path]?.placed ?? 0) <= start
    }
    var difference = catalog.apply(updates)
    if let albums { difference.hasOtherAlbums = catalog.setAlbums(albums) }
    return difference
  }

  /// The keeper begins to look at files or folders.
  mutating func beginLooking() -> UInt64 {
    let now = tick
    thrownAway = thrownAway.filter { $0.value > now }
    return now
  }

  /// This library has added a file.
  mutating func insert(_ entry: LibraryEntry) -> LibraryCatalog.Difference {
    tick += 1
    var entry = entry
    entry.placed = tick
    thrownAway[entry.path] = nil
    unsaved.insert(entry.path)
    return catalog.apply([.put(entry)])
  }

  /// This library has put a file into the trash.
  mutating func remove(_ path: RawPath) -> LibraryCatalog.Difference {
    tick += 1
    thrownAway[path] = tick
    unsaved.insert(path)
    return catalog.apply([.remove(path)])
  }

  mutating func takeUnsaved() -> Set<RawPath> {
    defer { unsaved = [] }
    return unsaved
  }

  /// Somebody looks at files that nobody has read yet.
  mutating func want(_ paths: [RawPath]) {
    // What was wanted first of these is read first.
    wanted += paths.reversed()
    if wanted.count > Self.wantedLimit { wanted.removeFirst(wanted.count - Self.wantedLimit) }
  }

  mutating func takeWanted(_ count: Int) -> [RawPath] {
    let taken = Array(wanted.suffix(count).reversed())
    wanted.removeLast(taken.count)
    return taken
  }

  var wantsLook: Bool { !wanted.isEmpty }

  /// Whether a folder of the library was not there when it was looked for.
  func isMissing(_ root: RawPath) -> Bool { !isReady || missingRoots.contains(root) }

  mutating func requestScan() { wantsScan = true }

  mutating func takeScanRequest() -> Bool {
    defer { wantsScan = false }
    return wantsScan
  }
}

// MARK: - Waiting

extension LibraryState {
  enum Moment { case ready, settled }

  mutating func newWaiter() -> UInt64 {
    nextWaiter += 1
    return nextWaiter
  }

  /// - Returns: false where there is nothing to wait for.
  mutating func wait(for moment: Moment, _ number: UInt64, _ waiter: Waiter) -> Bool {
    switch moment {
    case .ready:
      if isReady || isStopped { return false }
      readyWaiters[number] = waiter
    case .settled:
      if isSettled || isStopped { return false }
      settledWaiters[number] = waiter
    }
    return true
  }

  mutating func leave(_ number: UInt64) -> Waiter? {
    readyWaiters.removeValue(forKey: number) ?? settledWaiters.removeValue(forKey: number)
  }

  var hasSettledWaiters: Bool { !settledWaiters.isEmpty }

  mutating func setSettled(_ isSettled: Bool) -> [Waiter] {
    self.isSettled = isSettled
    guard isSettled else { return [] }
    defer { settledWaiters = [:] }
    return Array(settledWaiters.values)
  }

  /// - Returns: All who wait for something that will not come.
  mutating func stop() -> [Waiter] {
    isStopped = true
    defer { (readyWaiters, settledWaiters) = ([:], [:]) }
    return Array(readyWaiters.values) + Array(settledWaiters.values)
  }

  mutating func subscribe(_ subscription: ChangeSubscription) {
    subscriptions = subscriptions.filter { $0.value.subscription != nil }
    subscriptions[ObjectIdentifier(subscription)] = WeakSubscription(subscription: subscription)
  }
}
