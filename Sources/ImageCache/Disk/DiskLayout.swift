import LinuxSystem

/// Where the disk tier keeps what.
///
/// The folder itself holds the pictures and nothing else that shows. All the rest is in one
/// hidden folder:
///
/// | in `.imagestore` | what |
/// |---|---|
/// | `unfinished/` | pictures that are being written, and what killed processes have left of them |
/// | `derived/NAME/` | a picture's thumbnails |
/// | `damaged/` | pictures that were set aside |
/// | `records/` | checksums and long keys that no extended attribute has room for |
/// | `lock`, `trim` | locks between processes, see `DiskTier` |
/// | `size` | how many bytes there are, see `DiskSize` |
struct DiskLayout: Sendable {
  static let hiddenName = ".imagestore"

  let folder: String
  let hidden: String
  let unfinished: String
  let derived: String
  let damaged: String
  let records: String
  let lock: String
  let trimLock: String
  let size: String

  /// - Parameter folder: An absolute path.
  init(folder: String) {
    self.folder = folder
    hidden = (folder.hasSuffix("/") ? folder : folder + "/") + Self.hiddenName
    unfinished = hidden + "/unfinished"
    derived = hidden + "/derived"
    damaged = hidden + "/damaged"
    records = hidden + "/records"
    lock = hidden + "/lock"
    trimLock = hidden + "/trim"
    size = hidden + "/size"
  }

  /// A picture's file.
  func picture(_ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  func derivedFolder(_ name: String) -> String { derived + "/" + name }

  func record(_ name: String) -> String { records + "/" + name }

  /// Makes what is missing.
  func make(isPrivate: Bool) throws(FileFailure) {
    try Folder.make(folder, isPrivate: isPrivate)
    for path in [unfinished, derived, damaged, records] {
      try Folder.make(path, isPrivate: isPrivate)
    }
  }
}
