import Foundation
import LinuxSystem
import Synchronization

extension DiskTier {
  private var size: DiskSize { DiskSize(path: layout.size) }

  /// Counts bytes that are about to be in the folder, and makes room for them within the limits.
  func reserve(_ byteCount: Int, keeping name: String) {
    var isOver = false
    if let limit = options.maximumByteCount {
      if size.add(byteCount) == nil { countAnew() }
      // The bytes lie in the folder already, under another name: who counts anew has counted them.
      isOver = size.value.map { $0 > limit } ?? true
    }
    if isAgeCheckDue() || isOver { trim(keeping: name, byteCount) }
  }

  /// Counts bytes that are in the folder no longer.
  func release(_ byteCount: Int) {
    if options.maximumByteCount != nil, byteCount > 0 { size.add(-byteCount) }
  }

  func isExpired(_ status: FileStatus) -> Bool {
    guard let age = options.maximumAge else { return false }
    return Int64.nanosecondsSince1970 - status.recency > age.wholeNanoseconds
  }

  /// A tenth of the age, an hour at most.
  private func isAgeCheckDue() -> Bool {
    guard let age = options.maximumAge else { return false }
    let interval = UInt64(clamping: min(age.wholeNanoseconds / 10, 3_600_000_000_000))
    let now = LinuxKernel().monotonicNanoseconds()
    return state.withLock { state in
      if let last = state.lastAgeCheck, now - last < interval { return false }
      state.lastAgeCheck = now
      return true
    }
  }
}

// MARK: - Looking for what has to go

extension DiskTier {
  /// Below so many pictures a search costs little, and none goes before it has to.
  private static let fewPictures = 256

  private func countAnew() {
    guard let lock = try? FileLock(layout.trimLock, .exclusive, within: Self.lockPatience) else {
      return
    }
    if size.value == nil {
      let total = DiskContents(layout).byteCount
      size.change { $0 ?? total }
    }
    _ = consume lock
  }

  /// Keeps the limits. One thread of one process does it at a time, and all others go on meanwhile;
  /// it looks again when it is done, since they did.
  private func trim(keeping name: String, _ byteCount: Int) {
    for _ in 0..<8 {
      guard let lock = try? FileLock(layout.trimLock, .exclusive, within: 0) else { return }
      let freed = trimOnce(keeping: name, byteCount)
      _ = consume lock
      guard freed > 0, let limit = options.maximumByteCount, size.value ?? 0 > limit else { return }
    }
  }

  /// - Returns: The bytes that went.
  private func trimOnce(keeping name: String, _ byteCount: Int) -> Int {
    count { $0.trims += 1 }
    let before = size.value
    sweepLeftovers()
    let contents = DiskContents(layout)
    var total = contents.byteCount
    for name in contents.orphans { total -= dropDerived(of: name) }
    let pictures = contents.pictures.filter { $0.name != name }
      .sorted { $0.status.recency < $1.status.recency }
    let expired = pictures.prefix { isExpired($0.status) }
    total -= evict(Array(expired))
    if let limit = options.maximumByteCount, total > limit {
      total -= clearDamaged()
      let isLarge = pictures.count > Self.fewPictures
      // Some more than has to go, so that not each picture needs a search of many.
      let target = isLarge ? max(limit / 20 * 19, min(limit, byteCount)) : limit
      let surplus = total - target
      if total > limit { total -= evict(Array(pictures.dropFirst(expired.count)), until: surplus) }
    }
    size.change { now in total + max(0, (now ?? 0) - (before ?? now ?? 0)) }
    return contents.byteCount - total
  }

  /// Takes pictures away, the first ones first, unless they were used or replaced since.
  ///
  /// - Parameters:
  ///   - pictures: As they were found.
  ///   - surplus: How many bytes have to go.
  /// - Returns: The bytes that went, which the caller releases.
  func evict(_ pictures: [FolderEntry], until surplus: Int = .max) -> Int {
    var (freed, rest) = (0, pictures[...])
    // Not all at once: writers wait for the lock meanwhile.
    while freed < surplus, !rest.isEmpty {
      let batch = rest.prefix(32)
      rest = rest.dropFirst(32)
      var gone: [FolderEntry] = []
      _ = try? ifAlone { () throws(FileFailure) in
        for picture in batch where freed < surplus {
          guard try removeUnused(picture) else { continue }
          freed += picture.status.byteCount
          gone.append(picture)
        }
      }
      for picture in gone { freed += dropDerived(of: picture.name) }
    }
    return freed
  }

  private func removeUnused(_ picture: FolderEntry) throws(FileFailure) -> Bool {
    let path = layout.picture(picture.name)
    guard try FileStatus(ofFile: path) == picture.status, try FileNames.remove(path) else {
      return false
    }
    try FileNames.remove(layout.record(picture.name))
    count {
      $0.evictions += 1
      $0.evictedBytes += picture.status.byteCount
    }
    return true
  }

  /// Makes room on a full disk.
  ///
  /// What can be made anew goes in any case. Pictures go only where the options set a limit: a
  /// store without one is told to keep all of them.
  func makeRoom(for byteCount: Int, keeping name: String) {
    release(clearDamaged())
    sweepLeftovers()
    for name in (try? Folder.names(in: layout.derived)) ?? [] { release(dropDerived(of: name)) }
    guard options.maximumByteCount != nil || options.maximumAge != nil else { return }
    let pictures = DiskContents(layout).pictures.filter { $0.name != name }
      .sorted { $0.status.recency < $1.status.recency }
    // Blocks are larger than bytes, and the next picture comes soon.
    let (surplus, overflow) = byteCount.multipliedReportingOverflow(by: 2)
    release(evict(pictures, until: overflow ? .max : max(surplus, 1 << 16)))
  }
}

/// What a search of a store's folder has found.
private struct DiskContents {
  private(set) var pictures: [FolderEntry] = []
  /// Names of pictures that are gone, and whose derived ones are not.
  private(set) var orphans: [String] = []
  /// All that counts for the limit.
  private(set) var byteCount = 0

  init(_ layout: DiskLayout) {
    // What is being written comes first: it may take its name meanwhile, and is then counted twice.
    // The other way round it might not be counted.
    byteCount += Self.byteCount(of: layout.unfinished)
    byteCount += Self.byteCount(of: layout.damaged)
    let derivedNames = (try? Folder.names(in: layout.derived)) ?? []
    let now = Int64.nanosecondsSince1970
    for entry in (try? Folder.entries(of: layout.folder)) ?? []
    where !entry.status.isFolder && FileName.isPicture(entry.name) {
      // The clock was set back: it ages from now on.
      if entry.status.recency > now + 1_000_000_000 {
        FileNames.touch(layout.picture(entry.name), contents: true)
      }
      pictures.append(entry)
      byteCount += entry.status.byteCount
    }
    let names = Set(pictures.map(\.name))
    for name in derivedNames {
      byteCount += Self.byteCount(of: layout.derivedFolder(name))
      if !names.contains(name) { orphans.append(name) }
    }
  }

  private static func byteCount(of folder: String) -> Int {
    ((try? Folder.entries(of: folder)) ?? []).reduce(0) { $0 + $1.status.byteCount }
  }
}

extension FileStatus {
  /// When the file was last used or written, whichever is later.
  var recency: Int64 { max(accessed, modified) }
}
