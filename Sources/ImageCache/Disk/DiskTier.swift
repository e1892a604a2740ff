import Foundation
import LinuxSystem
import Synchronization

/// A folder of encoded pictures: one file for each key, and nothing that a crash could leave half
/// done.
///
/// All calls may come from any thread and block for as long as the disk takes. Several tiers and
/// processes may use one folder. Nothing is read when a tier is made, and no index is kept: the
/// folder itself says which pictures there are.
///
/// How several processes get along: a picture is written under a name that nobody else has and
/// then takes its own name by rename(2), in the place of an older picture. Reading needs no lock:
/// an open file stays what it is. Taking a name and deleting hold the store's lock together with
/// others. Who takes a picture away because of what he saw of it (damaged, not used for long)
/// holds it alone, and looks again first: the picture may have been replaced since.
final class DiskTier: Sendable {
  /// Above any camera's picture, and low enough to be held in memory.
  static let maximumByteCount = 512 << 20
  /// A process that was stopped may hold a lock for ever; after this time (in nanoseconds) it is
  /// ignored.
  static let lockPatience: UInt64 = 2_000_000_000

  struct State {
    var statistics = DiskStatistics()
    /// How many files were begun.
    var unfinishedCount = 0
    /// Whether the leftovers of killed processes were looked for.
    var hasSwept = false
    /// When pictures that nobody uses were last looked for; nanoseconds of CLOCK_MONOTONIC.
    var lastAgeCheck: UInt64?
    /// Nil until the first picture is written.
    var folders: DiskFolders?
  }

  let url: URL
  /// The same for all tiers of one folder, by whatever path.
  let identity: String
  /// Whether folders that have to be made are the user's alone.
  let isPrivate: Bool
  let options: ImageStore.DiskOptions
  let layout: DiskLayout
  /// Whether checksums go to extended attributes where they can; tests do without.
  let usesAttributes: Bool
  let recentDeletions = RecentDeletions()
  let longKeys = LongKeys()
  /// No two tiers have the same.
  let unfinishedPrefix = String(UInt64.random(in: .min ... .max), radix: 36)
  let state = Mutex(State())

  init(
    url: URL, isPrivate: Bool = false, options: ImageStore.DiskOptions = .init(),
    usesAttributes: Bool = true
  ) throws(ImageStoreError) {
    guard url.isFileURL else {
      throw ImageStoreError(.failed, "\(url) is no folder's address; pictures are kept in files")
    }
    // A relative address must not follow the process when it changes its working folder.
    self.url = url.absoluteURL
    self.isPrivate = isPrivate
    self.options = options
    self.usesAttributes = usesAttributes
    layout = DiskLayout(folder: self.url.path(percentEncoded: false))
    do throws(FileFailure) {
      try Folder.make(layout.folder, isPrivate: isPrivate)
    } catch {
      // Only the program's own folder is private, and that variable moves it.
      throw ImageStoreError(
        error, doing: "The pictures' folder could not be made",
        or: isPrivate ? "set XDG_DATA_HOME" : nil)
    }
    identity = self.url.resolvingSymlinksInPath().path(percentEncoded: false)
  }

  var statistics: DiskStatistics { state.withLock { $0.statistics } }

  func count(_ change: (inout DiskStatistics) -> Void) {
    state.withLock { change(&$0.statistics) }
  }

  func fileURL(forKey key: String) -> URL {
    url.appending(path: FileName.name(forKey: key), directoryHint: .notDirectory)
  }

  /// What a picture's file is at this moment; nil where the key has none.
  func stamp(forKey key: String) -> DiskStamp? {
    let path = layout.picture(FileName.name(forKey: key))
    return (try? FileStatus(ofFile: path)).map { DiskStamp($0) }
  }

  /// The keys that have pictures, in no order. Where a long key was kept nowhere, a foreign
  /// file's, it is left out.
  func keys() throws(ImageStoreError) -> [String] {
    do throws(FileFailure) {
      return try Folder.names(in: layout.folder).compactMap { name in
        FileName.isHashed(name) ? longKey(of: name) : FileName.key(of: name)
      }
    } catch {
      if error.errno == .noEntry { return [] }
      throw ImageStoreError(error, doing: "The pictures could not be listed")
    }
  }
}

/// Tells one file from another with the same name: what a picture was when it was read or written.
struct DiskStamp: Hashable, Sendable {
  let fileNumber: UInt64
  let byteCount: Int
  let modified: Int64

  init(_ status: FileStatus) {
    fileNumber = status.fileNumber
    byteCount = status.byteCount
    modified = status.modified
  }
}
