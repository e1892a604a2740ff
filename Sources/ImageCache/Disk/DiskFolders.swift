import LinuxSystem
import Synchronization

/// A store's folders, kept open from one picture that is written to the next: the kernel need not
/// find its way to them each time, and the lock need not be opened anew.
///
/// All paths begin in the hidden folder, so that whatever is done with this stays within one store,
/// also where its folder is moved or replaced at that moment: a file that is being written, the
/// lock and the picture's name belong together.
final class DiskFolders: Sendable {
  private static let keptLocks = 4

  private let layout: DiskLayout
  private let hidden: OpenFolder
  /// The way from the hidden folder to the pictures; another one where it is a link.
  private let pictures: String
  /// A lock of flock(2) is the open file's: each has one holder at a time.
  private let locks = Mutex<[OpenLock]>([])
  /// A forked process has the same open files, and would hold the same locks.
  private let processIdentifier: Int32

  private final class OpenLock: Sendable {
    let file: OpenFile

    init(_ file: consuming OpenFile) { self.file = file }
  }

  /// - Throws: `FileFailure`, `noEntry` where there is no such store.
  init(_ layout: DiskLayout, processIdentifier: Int32) throws(FileFailure) {
    self.layout = layout
    self.processIdentifier = processIdentifier
    hidden = try OpenFolder(layout.hidden)
    pictures = hidden.isIn(layout.folder) ? "../" : layout.picture("")
  }

  /// Whether these are the folders that a process finds at the store's path.
  func areCurrent(_ processIdentifier: Int32) -> Bool {
    processIdentifier == self.processIdentifier && hidden.isAt(layout.hidden)
  }

  /// A file's path, for the other calls.
  func path(ofUnfinished name: String) -> String { "unfinished/" + name }

  /// A file's path, for the other calls.
  func path(of file: Publication) -> String {
    file.isDerived ? file.path : pictures + file.pictureName
  }

  func status(of path: String, _ file: Publication) throws(FileFailure) -> FileStatus? {
    try hidden.status(of: path, file.path)
  }

  func make(
    _ path: String, permissions: UInt32, _ file: Publication
  ) throws(FileFailure) -> OpenFile {
    try hidden.makeFile(path, permissions: permissions, file.path)
  }

  func move(_ path: String, to target: String, _ file: Publication) throws(FileFailure) {
    try hidden.move(path, to: target, file.path)
  }

  func remove(_ path: String) { hidden.remove(path) }

  /// Whether anything may have been derived from a picture.
  func hasDerived(_ name: String) -> Bool {
    do {
      return try hidden.status(of: "derived/" + name, layout.derived) != nil
    } catch {
      return true
    }
  }

  /// Does what others must not come between, together with others. See `DiskTier.withLock`.
  func withSharedLock(
    within nanoseconds: UInt64, _ body: () throws(FileFailure) -> Void
  ) throws(FileFailure) {
    var lock: OpenLock?
    do throws(FileFailure) {
      lock = try openLock(within: nanoseconds)
    } catch {
      guard error.errno != .noEntry else { throw error }
    }
    defer { lock.map { keep($0) } }
    try body()
  }

  private func openLock(within nanoseconds: UInt64) throws(FileFailure) -> OpenLock {
    if let lock = locks.withLock({ $0.popLast() }) {
      _ = lock.file.lock(exclusive: false, within: nanoseconds)
      if lock.file.hasName { return lock }
    }
    let lock = OpenLock(try hidden.shareFile("lock", layout.lock))
    _ = lock.file.lock(exclusive: false, within: nanoseconds)
    return lock
  }

  private func keep(_ lock: OpenLock) {
    lock.file.unlock()
    locks.withLock { if $0.count < Self.keptLocks { $0.append(lock) } }
  }
}
