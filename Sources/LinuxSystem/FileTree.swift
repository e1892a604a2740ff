import Glibc

/// Reading of small files, links and folders of the kernel's own trees. Absence is an answer
/// there and not an error: a device can vanish between any two looks.
package enum FileTree {
  /// A small text file's contents without blanks and line ends around them, or nil where it
  /// cannot be read. Reads 4 KiB at most, which is the longest that sysfs gives.
  package static func text(at path: String) -> String? {
    try? contents(ofFile: path)
  }

  /// A small text file's contents without blanks and line ends around them, 4 KiB at most.
  package static func contents(ofFile path: String) throws(Errno) -> String {
    let descriptor = try retryingInterrupts { unsafe open(path, O_RDONLY | O_CLOEXEC) }
    defer { _ = close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = try retryingInterrupts { unsafe read(descriptor, &bytes, bytes.count) }
    let blanks: [UInt8] = [0x00, 0x09, 0x0a, 0x0d, 0x20]
    let kept = bytes[..<count].drop(while: blanks.contains).reversed().drop(while: blanks.contains)
    return String(decoding: kept.reversed(), as: UTF8.self)
  }

  /// The lines of a text file of any length, up to a mebibyte; empty where it cannot be read.
  package static func lines(ofFile path: String) -> [Substring] {
    let bytes = (try? AtomicFile.read(path, atMost: 1 << 20)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  /// The names in a folder, sorted, without `.` and `..`; empty where it cannot be read.
  package static func names(in path: String) -> [String] {
    (try? contents(of: path)) ?? []
  }

  /// The names in a folder, sorted, without `.` and `..`.
  package static func contents(of path: String) throws(Errno) -> [String] {
    guard let folder = unsafe opendir(path) else { throw Errno.current }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// What a symbolic link says, or nil where there is none.
  package static func link(at path: String) -> String? {
    var characters = [CChar](repeating: 0, count: 4096)
    let size = unsafe readlink(path, &characters, characters.count)
    guard size > 0 else { return nil }
    return String(decoding: characters[..<size].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// What a symbolic link says, in bytes; nil where there is none, and where it is too long.
  static func rawLink(_ path: String) -> [UInt8]? {
    var characters = [CChar](repeating: 0, count: Int(PATH_MAX))
    let size = unsafe readlink(path, &characters, characters.count)
    guard size > 0, size < characters.count else { return nil }
    return characters[..<size].map { UInt8(bitPattern: $0) }
  }

  /// The path with every link followed, or nil where something of it is missing.
  package static func realPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
