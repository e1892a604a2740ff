import Foundation
import LinuxSystem
import Synchronization

extension DiskTier {
  /// Deletes a picture and all that was derived from it, at once; a key without one is right.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: `ImageStoreError` where there is a picture that could not be deleted.
  @discardableResult
  func delete(forKey key: String) throws(ImageStoreError) -> Bool {
    let name = FileName.name(forKey: key)
    defer { recentDeletions.note(name) }
    do throws(FileFailure) {
      guard let status = try FileStatus(ofFile: layout.picture(name)) else { return false }
      guard !status.isFolder else {
        throw FileFailure(call: "unlink", path: layout.picture(name), errno: .isFolder)
      }
      guard try removePicture(name) else { return false }
      release(status.byteCount + dropDerived(of: name))
      if options.durability == .powerLoss { try Folder.synchronize(layout.folder) }
    } catch {
      throw ImageStoreError(error, doing: "The picture could not be deleted")
    }
    count { $0.deletions += 1 }
    return true
  }

  private func removePicture(_ name: String) throws(FileFailure) -> Bool {
    let record = layout.record(name)
    let hasRecord = try FileStatus(ofFile: record) != nil
    do {
      return try withLock(hasRecord ? .exclusive : .shared) { () throws(FileFailure) in
        let wasThere = try FileNames.remove(layout.picture(name))
        if hasRecord { try FileNames.remove(record) }
        return wasThere
      }
    } catch let error where error.errno == .noEntry {
      // Nothing but foreign pictures was in the folder so far: nobody else can be at work.
      return try FileNames.remove(layout.picture(name))
    }
  }

  /// Deletes all pictures, and all that was derived from them or set aside. Other files stay.
  ///
  /// - Throws: `ImageStoreError` where one could not be deleted; others may be gone by then.
  func removeAll() throws(ImageStoreError) {
    defer { recentDeletions.noteAll() }
    do throws(FileFailure) {
      for name in try Folder.names(in: layout.folder) where FileName.isPicture(name) {
        if try removePicture(name) { count { $0.deletions += 1 } }
      }
      removeHidden()
      _ = try FileNames.remove(layout.size)
      if options.durability == .powerLoss { try Folder.synchronize(layout.folder) }
    } catch {
      if error.errno == .noEntry { return }
      throw ImageStoreError(error, doing: "The pictures could not be deleted")
    }
  }

  private func removeHidden() {
    for name in (try? Folder.names(in: layout.derived)) ?? [] {
      _ = dropDerived(of: name)
    }
    _ = clearDamaged()
    sweepLeftovers()
  }
}

// MARK: - What was set aside

extension DiskTier {
  static let maximumDamagedCount = 16
  static let maximumDamagedByteCount = 64 << 20

  /// Takes a damaged file's name away and keeps the file for who wants to look at it.
  ///
  /// - Parameters:
  ///   - name: The file's name.
  ///   - status: What it was when it was found damaged.
  /// - Returns: false where the key has another picture by now, which stays.
  func setAside(_ name: String, _ status: FileStatus) -> Bool {
    do throws(FileFailure) {
      do {
        guard try moveAside(name, status) else { return false }
      } catch let error where error.errno == .noEntry {
        // Nothing but foreign pictures was in the folder so far.
        try layout.make(isPrivate: isPrivate)
        guard try moveAside(name, status) else { return false }
      }
      release(limitDamaged(to: Self.maximumDamagedCount, Self.maximumDamagedByteCount))
    } catch {
      // It stays where it is, in a folder that takes no changes for instance, and is found damaged
      // again.
    }
    count { $0.verificationFailures += 1 }
    return true
  }

  private func moveAside(_ name: String, _ status: FileStatus) throws(FileFailure) -> Bool {
    let path = layout.picture(name)
    return try ifAlone { () throws(FileFailure) in
      guard let now = try FileStatus(ofFile: path), DiskStamp(now) == DiskStamp(status) else {
        return false
      }
      try FileNames.move(path, to: layout.damaged + "/" + name)
      try FileNames.remove(layout.record(name))
      return true
    } ?? true
  }

  private func limitDamaged(to count: Int, _ byteCount: Int) -> Int {
    let files = (try? Folder.entries(of: layout.damaged)) ?? []
    var (keptCount, keptByteCount, freed) = (0, 0, 0)
    for file in files.sorted(by: { $0.status.recency > $1.status.recency }) {
      keptCount += 1
      keptByteCount += file.status.byteCount
      guard keptCount > count || keptByteCount > byteCount else { continue }
      if (try? FileNames.remove(layout.damaged + "/" + file.name)) == true {
        freed += file.status.byteCount
      }
    }
    return freed
  }

  /// Deletes all that was set aside.
  /// - Returns: The bytes that it had, which the caller releases.
  func clearDamaged() -> Int { limitDamaged(to: 0, 0) }
}

// MARK: - What killed processes have left

extension DiskTier {
  /// A file of this age, in nanoseconds, that nobody has locked was left by a process that is gone.
  static let leftoverAge: Int64 = 60_000_000_000

  func sweepOnce() {
    let isFirst = state.withLock { state in
      defer { state.hasSwept = true }
      return !state.hasSwept
    }
    if isFirst { sweepLeftovers() }
  }

  func sweepLeftovers(olderThan age: Int64 = DiskTier.leftoverAge) {
    for file in (try? Folder.entries(of: layout.unfinished)) ?? [] {
      // Its owner closes it, and thereby gives up its lock, a moment before it takes its name.
      guard Int64.nanosecondsSince1970 - file.status.modified >= age else { continue }
      let path = layout.unfinished + "/" + file.name
      guard let open = try? OpenFile(reading: path), open.tryLock(exclusive: true) else { continue }
      _ = try? FileNames.remove(path)
    }
  }
}
