import Glibc

/// What a file was when somebody looked: one with other contents has another one.
package struct FileStamp: Hashable, Sendable {
  package var byteCount: Int
  /// When the contents changed; nanoseconds since 1970.
  package var modified: Int64
  /// When anything of it changed, also by programs that set the time of the contents back.
  package var changed: Int64
  package var fileNumber: UInt64

  package init(byteCount: Int, modified: Int64, changed: Int64, fileNumber: UInt64) {
    self.byteCount = byteCount
    self.modified = modified
    self.changed = changed
    self.fileNumber = fileNumber
  }

  init(_ raw: stat) {
    self.init(
      byteCount: Int(raw.st_size), modified: FileStatus.nanoseconds(raw.st_mtim),
      changed: FileStatus.nanoseconds(raw.st_ctim), fileNumber: UInt64(raw.st_ino))
  }

  /// Asks about a file.
  /// - Returns: nil where there is none, and where it is something else: links are not followed.
  package init?(ofFile path: RawPath) throws(FileFailure) {
    var raw = stat()
    do {
      try path.call("lstat") { unsafe lstat($0, &raw) }
    } catch let error where error.errno == .noEntry || error.errno.rawValue == ENOTDIR {
      return nil
    }
    guard raw.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(raw)
  }
}

/// A folder that was read: its files and folders, and nothing else that lies in it.
package struct RawFolder: Sendable {
  /// A folder is the same as another one where both agree, whatever their paths.
  package struct Identity: Hashable, Sendable {
    package let device: UInt64
    package let fileNumber: UInt64
  }

  package let identity: Identity
  /// Names and stamps of regular files, in no order.
  package private(set) var files: [(name: [UInt8], stamp: FileStamp)] = []
  /// Names of folders, sorted.
  package private(set) var folders: [[UInt8]] = []
  /// Whether there was more than was asked for.
  package private(set) var isCut = false

  /// Reads a folder. Nothing in it is opened; links, pipes and devices are left out, and so are
  /// hidden names.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - followsLink: Whether the path may be a link to the folder.
  ///   - limit: The most entries that are kept.
  /// - Throws: `FileFailure`, with `ENOTDIR` or `ELOOP` where it is no folder.
  package init(
    _ path: RawPath, followsLink: Bool = false, atMost limit: Int = .max
  ) throws(FileFailure) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
    let descriptor = try path.call("open") { unsafe open($0, flags) }
    guard let folder = unsafe fdopendir(descriptor) else {
      let errno = Errno.current
      close(descriptor)
      throw FileFailure(call: "fdopendir", path: path.shown, errno: errno)
    }
    defer { unsafe closedir(folder) }
    var raw = stat()
    try FileFailure.call("fstat", path.shown) { unsafe fstat(descriptor, &raw) }
    identity = Identity(device: UInt64(raw.st_dev), fileNumber: UInt64(raw.st_ino))
    while let entry = unsafe readdir(folder) {
      guard files.count + folders.count < limit else {
        isCut = true
        break
      }
      unsafe note(entry, in: descriptor)
    }
    folders.sort { $0.lexicographicallyPrecedes($1) }
  }

  private mutating func note(_ entry: UnsafeMutablePointer<dirent>, in folder: Int32) {
    let type = unsafe Int(entry.pointee.d_type)
    guard [Int(DT_REG), Int(DT_DIR), Int(DT_UNKNOWN)].contains(type) else { return }
    unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
      unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { characters in
        guard unsafe characters[0] != CChar(bitPattern: UInt8(ascii: ".")) else { return }
        let count = unsafe strlen(characters)
        let name = unsafe [UInt8](UnsafeRawBufferPointer(start: characters, count: count))
        if type == Int(DT_DIR) { return folders.append(name) }
        // What goes while the folder is read is left out.
        var raw = stat()
        guard unsafe fstatat(folder, characters, &raw, AT_SYMLINK_NOFOLLOW) == 0 else { return }
        switch raw.st_mode & S_IFMT {
        case S_IFREG: files.append((name, FileStamp(raw)))
        case S_IFDIR: folders.append(name)
        default: break
        }
      }
    }
  }
}
