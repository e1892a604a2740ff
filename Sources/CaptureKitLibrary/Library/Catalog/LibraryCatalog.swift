import LinuxSystem

/// All files of a library, in order: a value, which who reads it may keep while it changes.
struct LibraryCatalog: Sendable {
  /// Entries keep their places; those that went leave holes.
  private(set) var table: [LibraryEntry] = []
  private(set) var folderOf: [Int32] = []
  private var holes: [Int32] = []
  private(set) var slots: [RawPath: Int32] = [:]
  /// Places of pictures and movies, the newest first.
  private var order: [Int32] = []
  private var folderNumbers: [RawPath: Int32] = [:]
  private(set) var folderPaths: [RawPath] = []
  private var unseenCount = 0
  /// The folders below the library's own, sorted.
  private(set) var albums: [RawPath] = []

  init() {}

  /// All at once, which takes a fraction of the time of adding them; of entries of one path the
  /// first counts.
  init(_ entries: [LibraryEntry], albums: [RawPath]) {
    self.albums = albums
    table.reserveCapacity(entries.count)
    folderOf.reserveCapacity(entries.count)
    slots.reserveCapacity(entries.count)
    order.reserveCapacity(entries.count)
    for entry in entries where slots[entry.path] == nil {
      let slot = newSlot(entry)
      slots[entry.path] = slot
      if !entry.isLookedAt { unseenCount += 1 }
      if entry.kind != .other { order.append(slot) }
    }
    let table = table
    order.sort { LibraryEntry.comesFirst(table[Int($0)], table[Int($1)]) }
  }

  /// Files that nobody has looked at yet.
  var unlookedCount: Int { unseenCount }
  /// Pictures and movies.
  var count: Int { order.count }
  /// All files that are known, others too.
  var entryCount: Int { slots.count }

  subscript(path: RawPath) -> LibraryEntry? { slots[path].map { table[Int($0)] } }

  /// Pictures and movies, in order.
  var listed: some Sequence<LibraryEntry> { order.lazy.map { [table] in table[Int($0)] } }

  /// All files that are known, in no order.
  var entries: some Sequence<LibraryEntry> { slots.values.lazy.map { [table] in table[Int($0)] } }
}

// MARK: - Reading

extension LibraryCatalog {
  /// A part of the list.
  func page(
    _ range: Range<Int>, in folder: RawPath? = nil, _ kinds: Set<LibraryEntry.Kind>
  ) -> [LibraryEntry] {
    let limits = range.clamped(to: 0..<order.count)
    if folder == nil, kinds.isSuperset(of: [.image, .movie]) {
      return order[limits].map { table[Int($0)] }
    }
    var page: [LibraryEntry] = []
    var position = 0
    for slot in matching(folder, kinds) {
      if position >= limits.upperBound { break }
      if position >= limits.lowerBound { page.append(table[Int(slot)]) }
      position += 1
    }
    return page
  }

  func count(in folder: RawPath? = nil, _ kinds: Set<LibraryEntry.Kind>) -> Int {
    if folder == nil, kinds.isSuperset(of: [.image, .movie]) { return order.count }
    return matching(folder, kinds).reduce(0) { count, _ in count + 1 }
  }

  private func matching(
    _ folder: RawPath?, _ kinds: Set<LibraryEntry.Kind>
  ) -> some Sequence<Int32> {
    // A folder without files has no number, and no entry has −1.
    let number = folder.map { folderNumbers[$0] ?? -1 }
    let (hasImages, hasMovies) = (kinds.contains(.image), kinds.contains(.movie))
    return order.lazy.filter { slot in
      let kind = table[Int(slot)].kind
      guard kind == .image && hasImages || kind == .movie && hasMovies else { return false }
      return number == nil || folderOf[Int(slot)] == number
    }
  }

  struct Folder: Sendable {
    var path: RawPath
    var count = 0
    var cover: LibraryEntry?
  }

  /// The albums with what is in them.
  func folders() -> [Folder] {
    var folders = folderPaths.map { Folder(path: $0) }
    for slot in order {
      let (entry, number) = (table[Int(slot)], Int(folderOf[Int(slot)]))
      folders[number].count += 1
      let cover = folders[number].cover
      if cover == nil || cover?.kind == .movie && entry.kind == .image {
        folders[number].cover = entry
      }
    }
    return albums.map { album in
      folderNumbers[album].map { folders[Int($0)] } ?? Folder(path: album)
    }
  }
}

// MARK: - Changing

extension LibraryCatalog {
  enum Update: Hashable, Sendable {
    case put(LibraryEntry)
    /// What a look at a file that was known has shown; nothing where it has gone meanwhile.
    case look(LibraryEntry)
    case remove(RawPath)

    var path: RawPath {
      switch self {
      case .put(let entry), .look(let entry): entry.path
      case .remove(let path): path
      }
    }
  }

  /// What became different for users, and all that has to be kept.
  struct Difference: Sendable {
    var inserted: Set<RawPath> = []
    var removed: Set<RawPath> = []
    var updated: Set<RawPath> = []
    var hasOtherAlbums = false
    /// Entries that are not as they were, others too.
    var touched: Set<RawPath> = []
    /// What entries were that have changed or gone: nothing that was made of them is right now.
    var outdated: [(path: RawPath, stamp: FileStamp)] = []

    var isEmpty: Bool { touched.isEmpty && !hasOtherAlbums }
  }

  mutating func setAlbums(_ paths: [RawPath]) -> Bool {
    guard paths != albums else { return false }
    albums = paths
    return true
  }

  /// Makes changes, in time that grows with the list and not with list times changes.
  mutating func apply(_ updates: [Update]) -> Difference {
    var work = Work()
    for update in updates {
      switch update {
      case .put(let entry): put(entry, &work)
      case .look(let entry):
        if slots[entry.path] != nil { put(entry, &work) }
      case .remove(let path): remove(path, &work)
      }
    }
    reorder(work)
    return work.difference
  }

  private struct Work {
    var difference = Difference()
    var dropped: Set<Int32> = []
    var fresh: Set<Int32> = []
    var freed: [Int32] = []
  }

  private mutating func put(_ entry: LibraryEntry, _ work: inout Work) {
    let isListed = entry.kind != .other
    guard let slot = slots[entry.path] else {
      let slot = newSlot(entry)
      slots[entry.path] = slot
      if !entry.isLookedAt { unseenCount += 1 }
      work.difference.touched.insert(entry.path)
      if isListed {
        work.fresh.insert(slot)
        work.difference.noteInserted(entry.path)
      }
      return
    }
    let old = table[Int(slot)]
    guard old != entry else { return }
    table[Int(slot)] = entry
    unseenCount += (entry.isLookedAt ? 0 : 1) - (old.isLookedAt ? 0 : 1)
    work.difference.touched.insert(entry.path)
    if old.stamp != entry.stamp { work.difference.outdated.append((old.path, old.stamp)) }
    let wasListed = old.kind != .other
    if wasListed != isListed || old.captured != entry.captured {
      if wasListed, !work.fresh.contains(slot) { work.dropped.insert(slot) }
      work.fresh.remove(slot)
      if isListed { work.fresh.insert(slot) }
    }
    switch (wasListed, isListed) {
    case (true, true): work.difference.noteUpdated(entry.path)
    case (false, true): work.difference.noteInserted(entry.path)
    case (true, false): work.difference.noteRemoved(entry.path)
    case (false, false): break
    }
  }

  private mutating func remove(_ path: RawPath, _ work: inout Work) {
    guard let slot = slots.removeValue(forKey: path) else { return }
    let old = table[Int(slot)]
    if !old.isLookedAt { unseenCount -= 1 }
    work.difference.touched.insert(path)
    work.difference.outdated.append((path, old.stamp))
    if old.kind != .other {
      if work.fresh.remove(slot) == nil { work.dropped.insert(slot) }
      work.difference.noteRemoved(path)
    }
    // Not used again before the order has let go of it.
    work.freed.append(slot)
  }

  private mutating func newSlot(_ entry: LibraryEntry) -> Int32 {
    let folder = number(of: entry.path.folder)
    if let slot = holes.popLast() {
      table[Int(slot)] = entry
      folderOf[Int(slot)] = folder
      return slot
    }
    table.append(entry)
    folderOf.append(folder)
    return Int32(table.count - 1)
  }

  private mutating func number(of folder: RawPath) -> Int32 {
    if let number = folderNumbers[folder] { return number }
    let number = Int32(folderPaths.count)
    folderNumbers[folder] = number
    folderPaths.append(folder)
    return number
  }

  /// Takes out what has moved, and merges it in where it belongs.
  private mutating func reorder(_ work: Work) {
    holes += work.freed
    // What moved is in both: its old place is that of another date.
    if !work.dropped.isEmpty { order.removeAll { work.dropped.contains($0) } }
    guard !work.fresh.isEmpty else { return }
    let table = table
    func comesFirst(_ one: Int32, _ other: Int32) -> Bool {
      LibraryEntry.comesFirst(table[Int(one)], table[Int(other)])
    }
    let fresh = work.fresh.sorted(by: comesFirst)
    var merged: [Int32] = []
    merged.reserveCapacity(order.count + fresh.count)
    var next = 0
    for slot in order {
      while next < fresh.count, comesFirst(fresh[next], slot) {
        merged.append(fresh[next])
        next += 1
      }
      merged.append(slot)
    }
    order = merged + fresh[next...]
  }
}

extension LibraryCatalog.Difference {
  fileprivate mutating func noteInserted(_ path: RawPath) {
    if removed.remove(path) != nil { updated.insert(path) } else { inserted.insert(path) }
  }

  fileprivate mutating func noteUpdated(_ path: RawPath) {
    if !inserted.contains(path) { updated.insert(path) }
  }

  fileprivate mutating func noteRemoved(_ path: RawPath) {
    updated.remove(path)
    if inserted.remove(path) == nil { removed.insert(path) }
  }
}
