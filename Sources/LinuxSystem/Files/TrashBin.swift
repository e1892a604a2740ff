import CLinuxSystem
import Glibc

/// One folder of trash: `files` with what was thrown away, and `info` with where it came from.
struct TrashBin {
  private let files: Descriptor
  private let info: Descriptor
  private static let folderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW

  /// The trash in the home folder, made where it is missing.
  init(home: RawPath) throws(FileFailure) {
    try Folder.make(home.shown, isPrivate: true)
    let descriptor = try home.call("open") {
      unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    try self.init(Descriptor(owning: descriptor, of: LinuxKernel()))
  }

  /// The trash at the top of another file system: the user's folder in an administrator's `.Trash`,
  /// or `.Trash-<user>`.
  init(atTop top: Descriptor, ofUser user: UInt32, _ place: TrashedPlace) throws(FileFailure) {
    if let shared = try? TrashedPlace.open(Array(".Trash".utf8), in: top, Self.folderFlags),
      Self.isSticky(shared),
      let own = try? Self.folder("\(user)", in: shared, ofUser: user),
      let bin = try? TrashBin(own), bin.isOnMount(of: place)
    {
      self = bin
      return
    }
    try self.init(try Self.folder(".Trash-\(user)", in: top, ofUser: user))
    guard isOnMount(of: place) else {
      throw FileFailure(call: "rename", path: place.path.shown, errno: Errno(rawValue: EXDEV))
    }
  }

  private init(_ folder: Descriptor) throws(FileFailure) {
    files = try Self.folder("files", in: folder, ofUser: nil)
    info = try Self.folder("info", in: folder, ofUser: nil)
  }

  /// Without the sticky bit anybody could put a folder of their own in another one's place.
  private static func isSticky(_ folder: Descriptor) -> Bool {
    var raw = stat()
    return unsafe fstat(folder.rawValue, &raw) == 0 && raw.st_mode & S_ISVTX != 0
  }

  /// A folder of the user's alone, made where it is missing; a link is none.
  private static func folder(
    _ name: String, in parent: Descriptor, ofUser user: UInt32?
  ) throws(FileFailure) -> Descriptor {
    if unsafe mkdirat(parent.rawValue, name, 0o700) != 0, Errno.current != .exists {
      throw FileFailure(call: "mkdir", path: name, errno: .current)
    }
    let folder = try TrashedPlace.open(Array(name.utf8), in: parent, folderFlags)
    var raw = stat()
    try FileFailure.call("fstat", name) { unsafe fstat(folder.rawValue, &raw) }
    if let user, raw.st_uid != user {
      throw FileFailure(call: "open", path: name, errno: .notPermitted)
    }
    return folder
  }

  func isOnMount(of place: TrashedPlace) -> Bool {
    MountPlace(files).mount == MountPlace(place.folder).mount
  }

  // MARK: - Throwing away

  private static let suffix = ".trashinfo"
  private static let attempts = 10_000

  /// Notes where a file comes from, and then moves it.
  func take(_ place: TrashedPlace, writtenAs path: RawPath) throws(FileFailure) {
    for number in 1...Self.attempts {
      let name = Self.name(place.name, number)
      let note = name + Array(Self.suffix.utf8)
      // The note's name is taken first: it decides who has both.
      do throws(FileFailure) {
        try write(Self.text(path), as: note, for: place)
      } catch {
        guard error.errno == .exists else { throw error }
        continue
      }
      do throws(FileFailure) {
        try move(place, to: name)
        return synchronize(place)
      } catch {
        remove(note)
        guard error.errno == .exists else { throw error }
      }
    }
    throw FileFailure(call: "rename", path: place.path.shown, errno: .exists)
  }

  private func write(
    _ text: String, as note: [UInt8], for place: TrashedPlace
  ) throws(FileFailure) {
    let path = place.path.shown
    let descriptor = try RawPath(bytes: note).call("open") {
      unsafe openat(info.rawValue, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }
    let file = OpenFile(owning: descriptor)
    do throws(FileFailure) {
      try unsafe file.write(Array(text.utf8).span.bytes, path)
      try file.synchronize(path)
    } catch {
      remove(note)
      throw error
    }
  }

  private func remove(_ note: [UInt8]) {
    _ = try? RawPath(bytes: note).call("unlink") { unsafe unlinkat(info.rawValue, $0, 0) }
  }

  /// Never over a file that somebody has left there without a note.
  private func move(_ place: TrashedPlace, to name: [UInt8]) throws(FileFailure) {
    do {
      try RawPath(bytes: place.name).call("rename", to: RawPath(bytes: name)) {
        unsafe ck_rename_new(place.folder.rawValue, $0, files.rawValue, $1)
      }
    } catch let error where [EINVAL, ENOSYS].contains(error.errno.rawValue) {
      // A file system that cannot do this in one step: the note has reserved the name among all
      // who keep to the specification.
      let isTaken = try? RawPath(bytes: name).call("faccessat") {
        unsafe faccessat(files.rawValue, $0, F_OK, 0)
      }
      guard isTaken == nil else {
        throw FileFailure(call: "rename", path: place.path.shown, errno: .exists)
      }
      try RawPath(bytes: place.name).call("rename", to: RawPath(bytes: name)) {
        unsafe renameat(place.folder.rawValue, $0, files.rawValue, $1)
      }
    }
  }

  private func synchronize(_ place: TrashedPlace) {
    for folder in [info, files, place.folder] { _ = fsync(folder.rawValue) }
  }
}

// MARK: - What is written

extension TrashBin {
  /// `a.jpg`, then `a.2.jpg`, short enough for the note's name.
  static func name(_ name: [UInt8], _ number: Int) -> [UInt8] {
    let dot = name.dropFirst().lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    let hasShortExtension = name.count - dot <= 16
    let ending = hasShortExtension ? Array(name[dot...]) : []
    let middle = number == 1 ? [] : Array(".\(number)".utf8)
    let room = Int(NAME_MAX) - suffix.utf8.count - middle.count - ending.count
    var stem = Array(name[..<(hasShortExtension ? dot : name.endIndex)].prefix(room))
    // Not within a character.
    if stem.count == room {
      while let last = stem.last, last & 0xC0 == 0x80 { stem.removeLast() }
      if let last = stem.last, last & 0xC0 == 0xC0 { stem.removeLast() }
    }
    return stem + middle + ending
  }

  /// The note, with the time on the wall's clock.
  static func text(_ path: RawPath, at time: time_t = Glibc.time(nil)) -> String {
    var time = time
    var parts = unsafe tm()
    _ = unsafe localtime_r(&time, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (year, month) = unsafe (Int(parts.tm_year) + 1900, two(parts.tm_mon + 1))
    let day = unsafe "\(year)-\(month)-\(two(parts.tm_mday))"
    let clock = unsafe "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    return "[Trash Info]\nPath=\(path.percentEncoded)\nDeletionDate=\(day)T\(clock)\n"
  }
}
