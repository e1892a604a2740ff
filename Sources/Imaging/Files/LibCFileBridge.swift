import Foundation

/// The only place that hands pointers to the kernel, for it to write a file's bytes there.
enum LibCFileBridge {
  /// How a file begins; fewer bytes where it has no more.
  static func firstBytes(of descriptor: Int32, count: Int) throws(ImagingError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = uninterrupted { pread(descriptor, &bytes, count, 0) }
    guard got >= 0 else { throw failure() }
    return Array(bytes.prefix(got))
  }

  /// All bytes of a file, which may grow or shrink meanwhile.
  ///
  /// - Parameters:
  ///   - descriptor: The file, at its beginning.
  ///   - expected: Bytes that it seems to have.
  ///   - limit: The most that are read.
  /// - Returns: The bytes.
  /// - Throws: `.tooLarge` where there are more, or there is no memory for them; `.unreadable`.
  static func contents(
    of descriptor: Int32, expected: Int, atMost limit: Int
  ) throws(ImagingError) -> Data {
    guard expected <= limit else { throw tooLarge("\(expected)", limit) }
    // The byte that shows the end, or that there are too many, needs room too.
    let most = max(1, limit == .max ? limit : limit + 1)
    var room = min(max(expected, 0) + 1, most)
    var memory = malloc(room)
    var count = 0
    do throws(ImagingError) {
      while true {
        guard let start = memory else { throw noMemory(room) }
        let got = uninterrupted { read(descriptor, start + count, room - count) }
        guard got >= 0 else { throw failure() }
        count += got
        guard count <= limit else { throw tooLarge("more than \(limit)", limit) }
        guard got > 0 else { break }
        guard count == room else { continue }
        room = room > most / 2 ? most : room * 2
        guard let larger = realloc(start, room) else { throw noMemory(room) }
        memory = larger
      }
    } catch {
      free(memory)
      throw error
    }
    guard let memory else { throw noMemory(room) }
    return Data(bytesNoCopy: memory, count: count, deallocator: .free)
  }

  private static func tooLarge(_ count: String, _ limit: Int) -> ImagingError {
    ImagingError(
      .tooLarge,
      "The file has \(count) bytes; \(limit) are allowed: raise Image.Limits.memoryByteCount to "
        + "read it.")
  }

  private static func noMemory(_ count: Int) -> ImagingError {
    ImagingError(.tooLarge, "There is no memory for the file's \(count - 1) bytes.")
  }

  private static func failure() -> ImagingError {
    let number = errno
    return ImagingError(
      .unreadable, "The file cannot be read: \(String(cString: strerror(number))).", errno: number)
  }
}
