import CLinuxSystem
import Glibc

/// The user's trash, as freedesktop.org's Trash specification 1.0 has it: one in the home folder,
/// and one at the top of each other file system.
package struct Trash: Sendable {
  private let home: RawPath
  private let user: UInt32

  /// - Parameters:
  ///   - directories: Where the user's data are.
  ///   - user: Whose the trash is.
  package init(_ directories: XDGDirectories = XDGDirectories(), user: UInt32 = getuid()) {
    home = RawPath(AtomicFile.joined(directories.dataHome, "Trash"))
    self.user = user
  }

  /// Puts a file into the trash; it is where it was when this throws.
  ///
  /// - Parameters:
  ///   - path: A regular file.
  ///   - root: A folder that it lies in. Links are followed on the way to it, and not beyond.
  /// - Throws: ``TrashFailure``.
  package func put(_ path: RawPath, within root: RawPath) throws(TrashFailure) {
    let place = try TrashedPlace(path, within: root)
    do throws(FileFailure) {
      // The home trash is right for all that can be renamed into it.
      if let bin = try? TrashBin(home: home), bin.isOnMount(of: place) {
        return try bin.take(place, writtenAs: place.realPath)
      }
      let (top, depth) = try place.top()
      let bin = try TrashBin(atTop: top, ofUser: user, place)
      try bin.take(place, writtenAs: place.relativePath(depth))
    } catch {
      throw place.isThere ? .refused(error) : .gone(error)
    }
  }
}

/// Why a file is not in the trash.
package enum TrashFailure: Error, Hashable, Sendable {
  /// There is no such file, or it is none.
  case gone(FileFailure)
  /// Its folder is not to be read.
  case hidden(FileFailure)
  /// There is no trash for it and none can be made, or it cannot be moved there.
  case refused(FileFailure)

  package var failure: FileFailure {
    switch self {
    case .gone(let failure), .hidden(let failure), .refused(let failure): failure
    }
  }
}

/// The file that is to go, found without following a link.
struct TrashedPlace {
  let path: RawPath
  let name: [UInt8]
  /// The folder that it lies in.
  let folder: Descriptor
  /// The way from the file system's root, where the kernel tells.
  let realPath: RawPath

  init(_ path: RawPath, within root: RawPath) throws(TrashFailure) {
    guard let parts = path.parts(within: root), let name = parts.last else {
      throw .gone(FileFailure(call: "open", path: path.shown, errno: .noEntry))
    }
    self.path = path
    self.name = name
    do throws(FileFailure) {
      let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
      var folder = Descriptor(
        owning: try root.call("open") { unsafe Glibc.open($0, flags) }, of: LinuxKernel())
      for part in parts.dropLast() {
        folder = try Self.open(part, in: folder, flags | O_NOFOLLOW)
      }
      self.folder = folder
    } catch {
      let isMissing = [ENOENT, ENOTDIR, ELOOP].contains(error.errno.rawValue)
      throw isMissing ? .gone(error) : .hidden(error)
    }
    let way = FileTree.rawLink("/proc/self/fd/\(folder.rawValue)").map(RawPath.init(bytes:))
    realPath = way?.appending(name) ?? path
    guard isThere else {
      throw .gone(FileFailure(call: "lstat", path: path.shown, errno: .noEntry))
    }
  }

  /// Whether it is a regular file.
  var isThere: Bool {
    var raw = stat()
    let result = try? RawPath(bytes: name).call("fstatat") {
      unsafe fstatat(folder.rawValue, $0, &raw, AT_SYMLINK_NOFOLLOW)
    }
    return result == 0 && raw.st_mode & S_IFMT == S_IFREG
  }

  static func open(
    _ name: [UInt8], in folder: Descriptor, _ flags: Int32
  ) throws(FileFailure) -> Descriptor {
    Descriptor(
      owning: try RawPath(bytes: name).call("open") {
        unsafe openat(folder.rawValue, $0, flags)
      }, of: LinuxKernel())
  }

  /// The top folder of the file's file system, and how many folders below it the file lies.
  func top() throws(FileFailure) -> (folder: Descriptor, depth: Int) {
    var (top, depth) = (folder, 1)
    // No path is deeper.
    while depth < Int(PATH_MAX) {
      let above = try Self.open(Array("..".utf8), in: top, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard MountPlace(above).mount == MountPlace(top).mount,
        MountPlace(above) != MountPlace(top)
      else { break }
      (top, depth) = (above, depth + 1)
    }
    return (top, depth)
  }

  /// The way from a folder that many levels above.
  func relativePath(_ depth: Int) -> RawPath {
    let parts = realPath.bytes.split(separator: UInt8(ascii: "/")).suffix(depth)
    return RawPath(bytes: Array(parts.joined(separator: [UInt8(ascii: "/")])))
  }
}

/// Where a folder is: only within one mount can files be moved.
struct MountPlace: Hashable {
  struct Mount: Hashable {
    let number: Int64
    let device: UInt64
  }

  let mount: Mount
  private let fileNumber: UInt64

  init(_ folder: Descriptor) {
    var raw = stat()
    _ = unsafe fstat(folder.rawValue, &raw)
    mount = Mount(number: ck_mount_number(folder.rawValue), device: UInt64(raw.st_dev))
    fileNumber = UInt64(raw.st_ino)
  }
}
