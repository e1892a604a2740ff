import Glibc

extension AtomicFile {
  /// All bytes of a file.
  ///
  /// - Parameters:
  ///   - path: The file; links are followed. A pipe without bytes reads as empty, at once.
  ///   - limit: The most bytes that are read.
  /// - Returns: The bytes.
  /// - Throws: `FileFailure`, with `EFBIG` where the file has more bytes than `limit`.
  package static func read(_ path: String, atMost limit: Int) throws(FileFailure) -> [UInt8] {
    let descriptor = try FileFailure.check("open", path) {
      unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    }
    defer { close(descriptor) }
    var raw = stat()
    try FileFailure.check("fstat", path) { unsafe fstat(descriptor, &raw) }
    let tooBig = FileFailure(call: "read", path: path, errno: Errno(rawValue: EFBIG))
    guard raw.st_size <= limit else { throw tooBig }

    // The size is a hint: files grow, and those of /proc and /sys say 0 or a page.
    var bytes = [UInt8]()
    bytes.reserveCapacity(Int(raw.st_size) + 1)
    var step = max(4096, Int(raw.st_size) + 1)
    while true {
      let room = min(step, limit - bytes.count + 1)
      let chunk = try readOnce(descriptor, at: path, count: room)
      if chunk.isEmpty { return bytes }
      bytes.append(contentsOf: chunk)
      guard bytes.count <= limit else { throw tooBig }
      step = max(4096, step - chunk.count)
    }
  }

  /// The first bytes of a file; fewer than `count` where it ends before.
  package static func beginning(of path: String, _ count: Int) throws(FileFailure) -> [UInt8] {
    let descriptor = try FileFailure.check("open", path) {
      unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    }
    defer { close(descriptor) }
    return try readOnce(descriptor, at: path, count: count)
  }

  private static func readOnce(
    _ descriptor: Int32, at path: String, count: Int
  ) throws(FileFailure) -> [UInt8] {
    var failure: FileFailure?
    let chunk = unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
      do throws(FileFailure) {
        filled = try FileFailure.check("read", path) {
          unsafe Glibc.read(descriptor, memory.baseAddress, count)
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return chunk
  }
}
