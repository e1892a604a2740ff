import Foundation
import LinuxSystem

/// The file of a list of items, with its lock beside it.
struct ItemFile: ItemStorage {
  /// Another storage's file is not damaged.
  private static let databaseSignature = Array("SQLite format 3\0".utf8)

  let url: URL
  private let dates: ItemDates?
  let isPrivate: Bool
  private let permissions: UInt32?
  private let maximumByteCount: Int
  let patience: UInt64
  private let leftovers = Leftovers()

  /// - Parameters:
  ///   - url: Where the file is, or will be.
  ///   - dates: How a JSON file's dates are written, where the caller knows.
  ///   - isPrivate: Whether folders that have to be made are the user's alone.
  ///   - permissions: The mode of a new file, whatever the umask is.
  ///   - maximumByteCount: The largest file; far above what a list of items needs, and low enough
  ///     to be held in memory.
  ///   - patience: How long to wait for others, in nanoseconds. A save takes some milliseconds:
  ///     whoever takes longer was stopped.
  /// - Throws: ``ItemStoreError`` where the address is none of a file.
  init(
    url: URL, dates: ItemDates? = nil, isPrivate: Bool = false, permissions: UInt32? = nil,
    maximumByteCount: Int = 256 << 20, patience: UInt64 = 20_000_000_000
  ) throws(ItemStoreError) {
    guard url.isFileURL else {
      throw ItemStoreError(.failed, "\(url) is no file's address; items are kept in files")
    }
    // A relative address must not follow the process when it changes its working folder.
    self.url = url.absoluteURL
    self.dates = dates
    self.isPrivate = isPrivate
    self.permissions = permissions
    self.maximumByteCount = maximumByteCount
    self.patience = patience
  }

  var path: String { url.path(percentEncoded: false) }

  // MARK: - ItemStorage

  var traces: SaveTraces { .replacing }

  func load() throws(ItemStoreError) -> StoredItems { try read(isLocked: false) }

  func load(since version: ItemVersion) throws(ItemStoreError) -> StoredItems? {
    let now = try reading { () throws(FileFailure) in try self.version(at: place()) }
    return now.mark == nil || now == version ? nil : try load()
  }

  func save(
    since version: ItemVersion, _ merge: (FoundItems) -> ItemSave?
  ) throws(ItemStoreError) -> ItemVersion {
    let place = try saving { () throws(FileFailure) -> Place in
      let place = try self.place()
      try Folder.make(place.folder, isPrivate: isPrivate)
      return place
    }
    let status = try saving { () throws(FileFailure) in try FileStatus(ofFile: place.file) }
    if let status, !status.isRegular {
      // Nobody else's folder gets a lock, and writing to a pipe waits for a reader without end.
      throw noFile(isFolder: status.isFolder)
    }
    return try locked(place) { lock throws(ItemStoreError) in
      // A lock must not be open to more people than the list, nor to fewer.
      if let status { try? lock.setPermissions(status.permissions | 0o600, place.lock) }
      return try publish(at: place, with: lock, since: version, merge)
    }
  }
}

// MARK: - Reading

extension ItemFile {
  func read(isLocked: Bool) throws(ItemStoreError) -> StoredItems {
    let place = try reading { () throws(FileFailure) in try self.place() }
    // Looked for first: closing a file takes away the locks that SQLite has on it in this process.
    if (try? FileStatus(ofFile: place.file + "-shm")) != nil { throw isDatabase }
    guard let (bytes, version, seal) = try wholeBytes(at: place) else {
      return StoredItems(result: .absent)
    }
    guard !bytes.starts(with: Self.databaseSignature) else { throw isDatabase }
    let reason: String
    if let seal, seal.provesDamage(of: bytes, at: version.mark) {
      reason = "Its bytes are not those that were saved."
    } else {
      do throws(ItemFileReader.Failure) {
        let contents = try ItemFileReader(dates: dates).contents(of: bytes)
        return StoredItems(contents: contents, result: .loaded, version: version)
      } catch {
        switch error {
        case .unclearDates(let sentence):
          throw ItemStoreError(.unclearDates, "The items at \(path) were not read: \(sentence)")
        case .unreadable(let sentence): reason = sentence
        }
      }
    }
    // A pipe or a device stays where it is, and its folder gets no lock.
    let isFile = (try? FileStatus(ofFile: place.file))?.isRegular ?? true
    return isLocked || !isFile
      ? StoredItems(result: try setAside(because: reason)) : try readLocked(at: place, reason)
  }

  private var isDatabase: ItemStoreError {
    ItemStoreError(
      .failed,
      "The items at \(path) were not opened: it is a database; open it with ItemModelSQLite")
  }

  /// Only under the lock is it certain that the bytes and the seal belong together.
  private func readLocked(
    at place: Place, _ reason: String
  ) throws(ItemStoreError) -> StoredItems {
    var isHeld = false
    do throws(ItemStoreError) {
      return try locked(place) { _ throws(ItemStoreError) in
        isHeld = true
        return try read(isLocked: true)
      }
    } catch {
      // Whoever holds it may be about to replace what was read.
      guard !isHeld, error.code != .busy else { throw error }
      return StoredItems(result: try setAside(because: reason))
    }
  }

  /// The bytes of one state of the file; nil where there is no file.
  private func wholeBytes(
    at place: Place
  ) throws(ItemStoreError) -> (bytes: [UInt8], version: ItemVersion, seal: FileSeal?)? {
    try reading { () throws(FileFailure) -> ([UInt8], ItemVersion, FileSeal?)? in
      // Others may save meanwhile, without end.
      for _ in 0..<100 {
        let before = try version(at: place)
        let seal = seal(at: place)
        let bytes: [UInt8]
        do throws(FileFailure) {
          bytes = try AtomicFile.read(path, atMost: maximumByteCount)
        } catch {
          if error.errno == .noEntry { return nil }
          throw error
        }
        if try version(at: place) == before { return (bytes, before, seal) }
      }
      throw FileFailure(call: "read", path: path, errno: .again)
    }
  }

  private func setAside(because reason: String) throws(ItemStoreError) -> ItemStore.LoadResult {
    do throws(FileFailure) {
      let newPath = try AtomicFile.moveAside(path, suffix: ".unreadable")
      return .unreadable(movedTo: URL(filePath: newPath), reason: reason)
    } catch {
      throw ItemStoreError(
        .damaged,
        "\(path) is damaged and could not be renamed: \(error.explanation) \(reason)",
        errno: error.errno.rawValue)
    }
  }

  func reading<Value>(
    _ body: () throws(FileFailure) -> Value
  ) throws(ItemStoreError) -> Value {
    do throws(FileFailure) {
      return try body()
    } catch {
      throw ItemStoreError(error, doing: "The items could not be read")
    }
  }
}

// MARK: - Saving

extension ItemFile {
  private func publish(
    at place: Place, with lock: borrowing OpenFile, since version: ItemVersion,
    _ merge: (FoundItems) -> ItemSave?
  ) throws(ItemStoreError) -> ItemVersion {
    var current = try reading { () throws(FileFailure) in try self.version(at: place) }
    var found = FoundItems.unchanged
    if current.mark == nil {
      found = .absent
    } else if current != version {
      let stored = try read(isLocked: true)
      (found, current) = (.changed(stored), stored.version)
    }
    guard let save = merge(found) else { return current }
    let old = try? FileStatus(ofFile: place.file)
    // It may have become one while others held the lock.
    if let old, !old.isRegular { throw noFile(isFolder: old.isFolder) }
    // Renaming over the file would go round what its owner has said.
    if let old, old.permissions & 0o222 == 0 {
      throw protected
    }
    let elements = save.contents.elements
    // It only has to differ: a damaged one may be the largest number.
    let generation = max(seal(at: place)?.generation ?? 0, version.generation) &+ 1
    var seal = FileSeal(generation: generation, mark: .none, checksum: 0)
    // Not that of the old file, should this process end before the new one has its own.
    try? lock.writeOver(seal.text, place.lock)
    seal.checksum = try saving { () throws(FileFailure) in try write(elements) }
    if let new = try? FileStatus(ofFile: place.file) { seal.mark = FileSeal.Mark(new) }
    // Without its seal the list is read all the same.
    try? lock.writeOver(seal.text, place.lock)
    leftovers.sweep(place.folder)
    return try saving { () throws(FileFailure) in try self.version(at: place) }
  }

  /// The error of what stands in the file's place and is none.
  private func noFile(isFolder: Bool) -> ItemStoreError {
    ItemStoreError(
      .failed,
      "The items could not be saved at \(path): "
        + (isFolder
          ? "it is a folder; name a file in it" : "it is a pipe or a device; name a file"),
      errno: (isFolder ? Errno(rawValue: EISDIR) : .invalidArgument).rawValue)
  }

  /// The error of a file that takes no changes.
  var protected: ItemStoreError {
    ItemStoreError(
      .notPermitted,
      "The items could not be saved at \(path): the file is read-only; make it writable")
  }

  /// - Returns: The checksum of what was written.
  private func write(_ elements: [StoredElement]) throws(FileFailure) -> UInt64 {
    // Unlike XML it holds every character that a name may have, and a date's full precision.
    let bytes = BinaryListWriter.bytes(of: elements)
    // Nobody could read it again.
    guard bytes.count <= maximumByteCount else {
      throw FileFailure(call: "write", path: path, errno: .fileTooBig)
    }
    try AtomicFile.write(bytes.span.bytes, to: path, permissions: permissions)
    return FileSeal.checksum(of: bytes)
  }

  func saving<Value>(
    _ body: () throws(FileFailure) -> Value
  ) throws(ItemStoreError) -> Value {
    do throws(FileFailure) {
      return try body()
    } catch {
      // Only the program's own folder is private, and that variable moves it.
      throw ItemStoreError(
        error, doing: "The items could not be saved", or: isPrivate ? "set XDG_DATA_HOME" : nil)
    }
  }
}
