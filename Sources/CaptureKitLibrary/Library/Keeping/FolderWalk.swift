import LinuxSystem

/// Walks through folders, level by level, within bounds.
struct FolderWalk {
  struct Limits: Sendable {
    /// Levels below a folder of the library.
    var depth = 32
    var folderCount = 50_000
    var fileCount = 1_000_000
  }

  private let limits: Limits
  private let roots: [RawPath]
  private var visited: Set<RawFolder.Identity> = []
  private var fileCount = 0
  /// What was found so far.
  private(set) var scan = LibraryScan()

  init(roots: [RawPath], limits: Limits = Limits()) {
    self.roots = roots
    self.limits = limits
  }

  /// Walks through folders and all below them.
  ///
  /// - Parameters:
  ///   - tops: The folders: the library's own, or some below them.
  ///   - willRead: Called before a folder is read, so that a watch misses nothing.
  ///   - goesOn: Asked before each folder.
  /// - Returns: Whether the walk came to its end.
  mutating func walk(
    _ tops: [RawPath], willRead: (RawPath, _ isRoot: Bool) -> Void = { _, _ in },
    while goesOn: () -> Bool = { true }
  ) -> Bool {
    scan.tops += tops
    var level = tops
    // The library's own first: where one lies in another its files are listed as its own.
    var depth = tops.map(depth(of:)).min() ?? 0
    while !level.isEmpty {
      var next: [RawPath] = []
      for folder in level {
        guard goesOn() else { return false }
        willRead(folder, roots.contains(folder))
        next += read(folder)
      }
      depth += 1
      if depth > limits.depth, !next.isEmpty {
        scan.isCut = true
        break
      }
      level = next
    }
    return true
  }

  /// Reads the files of one folder anew, not those below it.
  mutating func readAlone(_ folder: RawPath) { _ = read(folder) }

  private func depth(of folder: RawPath) -> Int {
    roots.compactMap { folder == $0 ? 0 : folder.parts(within: $0)?.count }.min() ?? 0
  }

  /// - Returns: The folders in it that are to be walked through.
  private mutating func read(_ folder: RawPath) -> [RawPath] {
    guard visited.count < limits.folderCount, fileCount < limits.fileCount else {
      scan.isCut = true
      return []
    }
    let isRoot = roots.contains(folder)
    let found: RawFolder
    do throws(FileFailure) {
      found = try RawFolder(
        folder, followsLink: isRoot, atMost: limits.fileCount - fileCount)
    } catch {
      let isGone = [.noEntry, Errno.notAFolder, .tooManyLinks].contains(error.errno)
      if !isGone {
        scan.unreadable.append(folder)
      } else if isRoot {
        scan.missingRoots.append(folder)
      }
      return []
    }
    // The same folder by another way, by a link or another mount.
    guard visited.insert(found.identity).inserted else { return [] }
    if found.isCut { scan.isCut = true }
    fileCount += found.files.count
    scan.listings.append(LibraryScan.Listing(folder: folder, files: found.files))
    return found.folders.filter(MediaNames.isForPictures).map { folder.appending($0) }
  }
}
