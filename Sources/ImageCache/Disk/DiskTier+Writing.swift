import Foundation
import LinuxSystem
import Synchronization

extension DiskTier {
  /// Keeps a picture and replaces the one that the key had, with all that was derived from that.
  ///
  /// - Parameters:
  ///   - bytes: The encoded picture, of at least one byte.
  ///   - key: The key.
  ///   - durability: What it survives; nil for what the tier's options say.
  /// - Returns: What the file is now.
  /// - Throws: `ImageStoreError`; the key then has the picture that it had before.
  @discardableResult
  func write(
    _ bytes: Data, forKey key: String, durability: ImageStore.DiskOptions.Durability? = nil
  ) throws(ImageStoreError) -> DiskStamp {
    try refuseWhatDoesNotFit(bytes.count, key)
    sweepOnce()
    let name = FileName.name(forKey: key)
    let file = Publication(
      path: layout.picture(name), pictureName: name, recordName: name,
      checksum: Checksum(of: bytes.bytes),
      key: FileName.isHashed(name) ? key : nil,
      isDurable: (durability ?? options.durability) == .powerLoss, isDerived: false)
    do throws(FileFailure) {
      let published = try publishMakingRoom(bytes.bytes, as: file, keeping: name)
      if file.key != nil { longKeys.remember(key, name: name) }
      // Thumbnails that a crash has left of an earlier picture are never taken for this one's.
      if published.hasDerived { release(dropDerived(of: name)) }
      count {
        $0.writes += 1
        $0.bytesWritten += bytes.count
      }
      return published.stamp
    } catch {
      throw ImageStoreError(error, doing: "The picture could not be kept")
    }
  }

  private func refuseWhatDoesNotFit(_ byteCount: Int, _ key: String) throws(ImageStoreError) {
    guard byteCount > 0 else {
      throw ImageStoreError(.notAPicture, "The picture for “\(key)” has no bytes")
    }
    let limit = min(Self.maximumByteCount, options.maximumByteCount ?? .max)
    guard byteCount <= limit else {
      throw ImageStoreError(
        .tooLarge,
        "The picture for “\(key)” has \(byteCount) bytes, and the store may hold \(limit): "
          + "store a smaller picture or raise the limit")
    }
  }

  private func publishMakingRoom(
    _ bytes: RawSpan, as file: Publication, keeping name: String
  ) throws(FileFailure) -> Published {
    do {
      return try publish(bytes, as: file)
    } catch let error where error.trouble == .noSpace {
      makeRoom(for: bytes.byteCount, keeping: name)
      return try publish(bytes, as: file)
    }
  }
}

/// A file that is about to take its name.
struct Publication {
  var path: String
  /// The picture that it is, or that it belongs to.
  var pictureName: String
  /// How its side record is called, should it need one.
  var recordName: String
  var checksum: Checksum
  /// The whole key, where the file's name does not say it.
  var key: String?
  var isDurable: Bool
  /// Whether it is made of the picture, and is not the picture itself.
  var isDerived: Bool
}

/// A file that has taken its name.
struct Published {
  var stamp: DiskStamp
  /// Whether it has replaced a picture of which others may have been made.
  var hasDerived: Bool
}

extension DiskTier {
  static let keyAttribute = "user.capturekit.key"
  /// What file systems keep at least; longer keys go to a side record.
  static let maximumAttributeByteCount = 1024

  /// Writes a file, whole or not at all, with its checksum.
  func publish(_ bytes: RawSpan, as file: Publication) throws(FileFailure) -> Published {
    do {
      return try publishOnce(bytes, as: file)
    } catch let error where error.errno == .noEntry {
      // Somebody has deleted the folder, or it is new.
      try layout.make(isPrivate: isPrivate)
      if file.isDurable { try Folder.synchronize(layout.folder) }
      return try publishOnce(bytes, as: file)
    }
  }

  private func publishOnce(_ bytes: RawSpan, as file: Publication) throws(FileFailure) -> Published
  {
    let process = ProcessInfo.processInfo.processIdentifier
    let folders = try currentFolders(process)
    let unfinished = newUnfinished(process)
    let temporary = folders.path(ofUnfinished: unfinished)
    let target = folders.path(of: file)
    do throws(FileFailure) {
      let old = try folders.status(of: target, file)
      // rename(2) would say of a folder what does not help.
      if old?.isFolder == true {
        throw FileFailure(call: "rename", path: file.path, errno: .isFolder)
      }
      // An old picture's mode is kept. Bytes of a private one must not be readable for a moment
      // before the file has it.
      let mode = old.map { $0.isRegular ? $0.permissions : 0o600 }
      let (stamp, isRecorded) = try fill(
        folders.make(temporary, permissions: mode ?? 0o666, file), with: bytes, as: file,
        permissions: mode)
      // Counted before it has its name: a crash in between makes the count too large, which is
      // found out.
      reserve(bytes.byteCount, keeping: file.pictureName)
      do throws(FileFailure) {
        if isRecorded {
          try folders.withSharedLock(within: Self.lockPatience) { () throws(FileFailure) in
            try folders.move(temporary, to: target, file)
          }
        } else {
          try moveWithRecord(layout.unfinished + "/" + unfinished, stamp, as: file)
        }
      } catch {
        release(bytes.byteCount)
        throw error
      }
      if let old { release(old.byteCount) }
      if file.isDurable { try Folder.synchronize(layout.folder) }
      return Published(
        stamp: stamp, hasDerived: old != nil && folders.hasDerived(file.pictureName))
    } catch {
      folders.remove(temporary)
      throw error
    }
  }

  /// The folders that are at the tier's path now: the ones that were may be elsewhere or gone.
  private func currentFolders(_ process: Int32) throws(FileFailure) -> DiskFolders {
    if let kept = state.withLock({ $0.folders }), kept.areCurrent(process) { return kept }
    let folders = try DiskFolders(layout, processIdentifier: process)
    state.withLock { $0.folders = folders }
    return folders
  }

  private func fill(
    _ file: consuming OpenFile, with bytes: RawSpan, as target: Publication, permissions: UInt32?
  ) throws(FileFailure) -> (DiskStamp, isRecorded: Bool) {
    // Errors name the picture's file, not one that nobody knows.
    let path = target.path
    // While this is held, nobody takes the file for a leftover.
    _ = file.tryLock(exclusive: true)
    try file.write(bytes, path)
    let isRecorded = record(target, in: file)
    let status = try file.status(path)
    if let permissions, permissions != status.permissions {
      try file.setPermissions(permissions, path)
    }
    if target.isDurable { try file.synchronize(path) }
    try file.close(path)
    return (DiskStamp(status), isRecorded)
  }

  /// A name that nothing has: of this tier, of this process should it have been forked, and new.
  private func newUnfinished(_ process: Int32) -> String {
    let number = state.withLock { state in
      state.unfinishedCount += 1
      return state.unfinishedCount
    }
    return "\(unfinishedPrefix)-\(process)-\(number)"
  }

  /// Writes the checksum, and a key that the name does not say, into the file's attributes.
  private func record(_ target: Publication, in file: borrowing OpenFile) -> Bool {
    guard usesAttributes, file.setAttribute(Checksum.attribute, to: target.checksum.text) else {
      return false
    }
    guard let key = target.key else { return true }
    let bytes = Array(key.utf8)
    return bytes.count <= Self.maximumAttributeByteCount
      && file.setAttribute(Self.keyAttribute, to: bytes)
  }

  /// The same for a file whose attributes do not say it all: see `SideRecord`.
  private func moveWithRecord(
    _ temporary: String, _ stamp: DiskStamp, as file: Publication
  ) throws(FileFailure) {
    let entry = SideRecord.Entry(
      checksum: file.checksum, fileNumber: stamp.fileNumber, modified: stamp.modified)
    try withLock(.exclusive) { () throws(FileFailure) in
      let path = layout.record(file.recordName)
      var record = SideRecord(contentsOf: path) ?? SideRecord(entries: [], key: nil)
      record.key = file.key
      record.entries.insert(entry, at: 0)
      try writeRecord(record, to: path, isDurable: file.isDurable)
      try FileNames.move(temporary, to: file.path)
      record.entries = [entry]
      // A longer record is right too: the next picture shortens it.
      try? writeRecord(record, to: path, isDurable: false)
    }
  }

  private func writeRecord(
    _ record: SideRecord, to path: String, isDurable: Bool
  ) throws(FileFailure) {
    let process = ProcessInfo.processInfo.processIdentifier
    let temporary = layout.unfinished + "/" + newUnfinished(process)
    do {
      let file = try OpenFile(making: temporary, permissions: 0o666)
      _ = file.tryLock(exclusive: true)
      try file.write(record.bytes.span.bytes, path)
      if isDurable { try file.synchronize(path) }
      try file.close(path)
      try FileNames.move(temporary, to: path)
      if isDurable { try Folder.synchronize(layout.records) }
    } catch {
      _ = try? FileNames.remove(temporary)
      throw error
    }
  }

  /// Does what nobody may come between, or not at all.
  /// - Returns: nil where the lock could not be had.
  func ifAlone<Result>(_ body: () throws(FileFailure) -> Result) throws(FileFailure) -> Result? {
    guard let lock = try FileLock(layout.lock, .exclusive, within: Self.lockPatience) else {
      return nil
    }
    let result = try body()
    _ = consume lock
    return result
  }

  /// Does what others must not come between. Where the lock cannot be had, it is done all the
  /// same: a process that was stopped must not stop the others.
  func withLock<Result>(
    _ kind: FileLock.Kind, _ body: () throws(FileFailure) -> Result
  ) throws(FileFailure) -> Result {
    do {
      let lock = try FileLock(layout.lock, kind, within: Self.lockPatience)
      let result = try body()
      _ = consume lock
      return result
    } catch let error where error.call == "open" && error.path == layout.lock {
      guard error.errno != .noEntry else { throw error }
      return try body()
    }
  }
}
