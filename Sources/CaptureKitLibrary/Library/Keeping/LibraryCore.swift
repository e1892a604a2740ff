import Foundation
import LinuxSystem
import Synchronization

/// What a library is, apart from its calls: shared by them and by the thread that keeps it.
final class LibraryCore: Sendable {
  /// The folders that are listed, as they were given.
  let roots: [RawPath]
  let limits: FolderWalk.Limits
  let indexPath: String
  let thumbnails: ThumbnailDesk
  private let earlyIndex: EarlyIndex
  private let state = Mutex(LibraryState())
  /// nil where the system has no more: the folders are read now and then.
  let watches: FolderWatches?
  private let bell = WakeSemaphore()

  /// - Parameters:
  ///   - roots: The folders; others may lie within them.
  ///   - cache: The folder of the index and the thumbnails.
  ///   - limits: How much is listed.
  init(roots: [RawPath], cache: String, limits: FolderWalk.Limits) {
    self.roots = roots
    self.limits = limits
    let name = String(Self.checksum(roots), radix: 16)
    indexPath = AtomicFile.joined(cache, "photo-library-\(name).sqlite")
    earlyIndex = EarlyIndex(path: indexPath)
    thumbnails = ThumbnailDesk(
      folder: URL(filePath: AtomicFile.joined(cache, "thumbnails"), directoryHint: .isDirectory))
    watches = try? FolderWatches()
  }

  /// FNV-1a: the same in each process.
  private static func checksum(_ paths: [RawPath]) -> UInt64 {
    paths.flatMap { $0.bytes + [0] }.reduce(0xcbf2_9ce4_8422_2325) { sum, byte in
      (sum ^ UInt64(byte)) &* 0x100_0000_01b3
    }
  }

  /// Begins to read and to watch the folders, on a thread of its own.
  func start() {
    let work: @Sendable () -> Void = { LibraryKeeper(self).run() }
    do {
      try NamedThread.start("photo-library", work)
    } catch {
      // No room for another thread: one of Dispatch's then.
      DispatchQueue(label: "photo-library").async(execute: work)
    }
  }

  /// Ends the thread, after what it is about.
  func stop() {
    let (waiters, subscriptions) = state.withLock { state in
      (state.stop(), state.subscriptions.values.map(\.subscription))
    }
    ring()
    for waiter in waiters { waiter.resume() }
    for subscription in subscriptions { subscription?.finish() }
  }

  private func ring() {
    watches?.interrupt()
    bell.signal()
  }

  /// The keeper's wait where nothing can be watched.
  func waitForBell(until deadline: UInt64?) { _ = bell.wait(until: deadline ?? .max) }
}

// MARK: - For callers

extension LibraryCore {
  /// The list as it is now; nil where it has not been read yet.
  var catalog: LibraryCatalog? { state.withLock { $0.isReady ? $0.catalog : nil } }

  /// The list, as soon as it has been read.
  func readCatalog() async throws -> LibraryCatalog {
    if let catalog { return catalog }
    try await wait(for: .ready)
    return state.withLock { $0.catalog }
  }

  func wait(for moment: LibraryState.Moment) async throws {
    let number = state.withLock { $0.newWaiter() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: LibraryState.Waiter) in
        let waits = state.withLock { $0.wait(for: moment, number, waiter) }
        if !waits { waiter.resume() }
        // Cancelled before it was noted: nobody else would say so.
        if Task.isCancelled { leave(number) }
      }
    } onCancel: {
      leave(number)
    }
    try Task.checkCancellation()
  }

  private func leave(_ number: UInt64) {
    state.withLock { $0.leave(number) }?.resume(throwing: CancellationError())
  }

  /// A part of the list from the index of the last time, where the list is not there yet.
  func earlyPage(
    _ range: Range<Int>, _ kinds: Set<LibraryEntry.Kind>
  ) async -> [LibraryEntry]? {
    guard !state.withLock({ $0.hasEarlyEntries }) else { return nil }
    return await earlyIndex.look { $0.page(range, kinds) }
  }

  func earlyCount(_ kinds: Set<LibraryEntry.Kind>) async -> Int? {
    guard !state.withLock({ $0.hasEarlyEntries }) else { return nil }
    return await earlyIndex.look { $0.count(kinds) }
  }

  /// Files that somebody looks at are read before others.
  func want(_ entries: [LibraryEntry]) {
    let paths = entries.filter { !$0.isLookedAt }.map(\.path)
    guard !paths.isEmpty else { return }
    state.withLock { $0.want(paths) }
    ring()
  }

  func subscribe() -> ChangeSubscription {
    let subscription = ChangeSubscription()
    state.withLock { $0.subscribe(subscription) }
    return subscription
  }

  func insert(_ entry: LibraryEntry) {
    tell(state.withLock { $0.insert(entry) })
    ring()
  }

  func remove(_ path: RawPath) {
    tell(state.withLock { $0.remove(path) })
    ring()
  }

  /// A folder of the library may have been made just now, and nobody watches it.
  func requestScan(ofNew root: RawPath) {
    let isMissing = state.withLock { state in
      guard state.isMissing(root) else { return false }
      state.requestScan()
      return true
    }
    if isMissing { ring() }
  }
}

// MARK: - For the keeper

extension LibraryCore {
  var isStopped: Bool { state.withLock { $0.isStopped } }

  func beginLooking() -> UInt64 { state.withLock { $0.beginLooking() } }

  func takeWanted(_ count: Int) -> [RawPath] { state.withLock { $0.takeWanted(count) } }
  func takeUnsaved() -> Set<RawPath> { state.withLock { $0.takeUnsaved() } }
  func takeScanRequest() -> Bool { state.withLock { $0.takeScanRequest() } }

  func begin(with catalog: LibraryCatalog, isReload: Bool) {
    let (difference, waiters) = state.withLock { $0.begin(with: catalog) }
    if isReload {
      var all = difference
      all.hasOtherAlbums = true
      tell(all)
    }
    for waiter in waiters { waiter.resume() }
    earlyIndex.close()
  }

  func apply(
    _ updates: [LibraryCatalog.Update], albums: [RawPath]?, since start: UInt64
  ) -> LibraryCatalog.Difference {
    let difference = state.withLock { $0.apply(updates, albums: albums, since: start) }
    tell(difference)
    return difference
  }

  /// Whether somebody waits until there is nothing left to do.
  var isAwaited: Bool { state.withLock { $0.hasSettledWaiters } }

  func setMissing(_ roots: [RawPath]) { state.withLock { $0.missingRoots = roots } }

  /// - Returns: Whether there is nothing to be done indeed.
  @discardableResult
  func setSettled(_ isSettled: Bool) -> Bool {
    let waiters = state.withLock { state -> [LibraryState.Waiter]? in
      if isSettled, state.wantsLook { return nil }
      return state.setSettled(isSettled)
    }
    for waiter in waiters ?? [] { waiter.resume() }
    return waiters != nil
  }

  private func tell(_ difference: LibraryCatalog.Difference) {
    thumbnails.drop(difference.outdated)
    let subscriptions = state.withLock { $0.subscriptions.values.compactMap(\.subscription) }
    guard !subscriptions.isEmpty else { return }
    let change = PhotoLibrary.Change(difference)
    guard change != PhotoLibrary.Change() else { return }
    for subscription in subscriptions { subscription.tell(change) }
  }
}

/// The index of the last time, for calls that come before the keeper has read it.
private final class EarlyIndex: Sendable {
  private let path: String
  private let calls = DispatchQueue(label: "PhotoLibrary.index", qos: .userInitiated)
  // Used on `calls` only.
  private nonisolated(unsafe) var index: LibraryIndex?
  // Used on `calls` only.
  private nonisolated(unsafe) var isOver = false

  init(path: String) { self.path = path }

  func look<Value: Sendable>(_ body: @escaping @Sendable (LibraryIndex) -> Value?) async -> Value? {
    await withCheckedContinuation { continuation in
      calls.async { continuation.resume(returning: self.opened().flatMap(body)) }
    }
  }

  private func opened() -> LibraryIndex? {
    if isOver { return nil }
    if let index { return index }
    let index = LibraryIndex(path: path)
    isOver = !index.open()
    self.index = isOver ? nil : index
    return self.index
  }

  func close() {
    calls.async {
      self.isOver = true
      self.index = nil
    }
  }
}
