import Foundation
import Glibc

extension TemporaryFolder {
  /// Changes one bit, in place, and leaves the file's times as they were, as a bad disk would.
  package func flipBit(_ bit: Int, of name: String) throws {
    let url = URL(filePath: path(name))
    var status = stat()
    stat(url.path, &status)
    var bytes = try Data(contentsOf: url)
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    let file = try FileHandle(forWritingTo: url)
    try file.write(contentsOf: bytes)
    try file.close()
    setTimes(of: name, accessed: status.st_atim, modified: status.st_mtim)
  }

  /// Cuts a file off, in place.
  package func truncate(_ name: String, to count: Int) { Glibc.truncate(path(name), count) }

  /// Says when a file was last used and written.
  package func setAge(_ seconds: Int, of name: String) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    now.tv_sec -= seconds
    setTimes(of: name, accessed: now, modified: now)
  }

  private func setTimes(of name: String, accessed: timespec, modified: timespec) {
    utimensat(AT_FDCWD, path(name), [accessed, modified], 0)
  }

  /// The names of all files in a folder and those below it, without folders.
  package func allFiles(in name: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path(name)).filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path(name) + "/" + $0, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }
}
