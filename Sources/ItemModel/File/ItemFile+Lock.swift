import LinuxSystem

/// Where a list lies, and the lock beside it.
extension ItemFile {
  /// Where the file really lies, behind links, and its lock.
  struct Place {
    var file: String
    var folder: String
    var lock: String
  }

  func place() throws(FileFailure) -> Place {
    let file = try AtomicFile.followingLinks(path)
    return Place(
      file: file, folder: AtomicFile.folder(of: file), lock: ItemLock.path(besides: file))
  }

  func locked<Value>(
    _ place: Place, _ body: (borrowing OpenFile) throws(ItemStoreError) -> Value
  ) throws(ItemStoreError) -> Value {
    let lock: FileLock?
    do throws(FileFailure) {
      lock = try openLock(place.lock)
    } catch {
      throw ItemStoreError(
        error, doing: "The items could not be locked",
        or: isPrivate ? "set XDG_DATA_HOME" : nil)
    }
    guard let lock else {
      throw ItemStoreError(
        .busy, "The items at \(path) could not be locked: another program holds \(place.lock)")
    }
    return try body(lock.file)
  }

  /// Somebody else's lock can be taken, though not written to.
  private func openLock(_ path: String) throws(FileFailure) -> FileLock? {
    do throws(FileFailure) {
      return try FileLock(path, .exclusive, within: patience, isWritable: true)
    } catch {
      guard error.trouble == .notPermitted else { throw error }
      return try FileLock(path, .exclusive, within: patience)
    }
  }

  func seal(at place: Place) -> FileSeal? {
    (try? AtomicFile.read(place.lock, atMost: 4096)).flatMap { FileSeal($0) }
  }

  func version(at place: Place) throws(FileFailure) -> ItemVersion {
    let seal = seal(at: place)
    let mark = try FileStatus(ofFile: place.file).map { FileSeal.Mark($0) }
    return ItemVersion(mark: mark, generation: seal?.mark == mark ? seal?.generation ?? 0 : 0)
  }
}
