import LinuxSystem

/// Which folder each watch is of.
struct WatchedFolders {
  private var folders: [FolderWatches.Number: RawPath] = [:]
  private var numbers: [RawPath: FolderWatches.Number] = [:]
  /// Whether all folders are watched, as far as is known.
  var isComplete = true

  func folder(_ number: FolderWatches.Number) -> RawPath? { folders[number] }

  mutating func add(_ folder: RawPath, isRoot: Bool, to watches: FolderWatches?) {
    guard let watches else { return }
    do throws(FileFailure) {
      let number = try watches.add(folder, followsLink: isRoot)
      // The same folder by another way is listed under the first one.
      guard folders[number] == nil else { return }
      folders[number] = folder
      numbers[folder] = number
    } catch {
      // One that is missing or not to be read is looked for in another way.
      let isOutOfWatches = ![.noEntry, .notAFolder, .accessDenied, .tooManyLinks].contains(
        error.errno)
      if isOutOfWatches { isComplete = false }
    }
  }

  /// Ends the watches of a folder and of all below it.
  mutating func remove(_ folder: RawPath, from watches: FolderWatches) {
    for (path, number) in numbers where path == folder || path.lies(in: folder) {
      watches.remove(number)
      folders[number] = nil
      numbers[path] = nil
    }
  }
}
