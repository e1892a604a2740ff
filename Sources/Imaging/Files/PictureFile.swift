import Foundation

/// A picture's file, open for reading: a regular file, and never one that makes anybody wait.
struct PictureFile: ~Copyable {
  private let path: String
  /// Bytes that it had when it was opened.
  let byteCount: Int
  /// For reading, as long as the value lives.
  let descriptor: Int32

  deinit { close(descriptor) }

  private init(path: String, byteCount: Int, descriptor: Int32) {
    self.path = path
    self.byteCount = byteCount
    self.descriptor = descriptor
  }

  /// Opens a file.
  ///
  /// - Throws: `.unreadable` where the URL names no regular file, or none that this process may
  ///   read: with the kernel's error number where the kernel is the one that refused.
  private static func opened(_ url: URL) throws(ImagingError) -> PictureFile {
    guard url.isFileURL else {
      throw ImagingError(
        .unreadable,
        "\(url.absoluteString) is no file: get its bytes and make an Image of them.")
    }
    let path = url.path
    var status = stat()
    guard !path.utf8.contains(0) else { throw refusal(path, ENOENT) }
    // Opening alone may start a device.
    guard stat(path, &status) == 0 else { throw refusal(path, errno) }
    try check(path, status)
    // What takes the file's place in between, a pipe for instance, is not waited for.
    let descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard descriptor >= 0 else { throw refusal(path, errno) }
    do throws(ImagingError) {
      guard fstat(descriptor, &status) == 0 else { throw refusal(path, errno) }
      try check(path, status)
    } catch {
      close(descriptor)
      throw error
    }
    return PictureFile(path: path, byteCount: Int(status.st_size), descriptor: descriptor)
  }

  /// Opens a file for the time of one call. All errors name it.
  static func with<Result>(
    _ url: URL, _ body: (borrowing PictureFile) throws(ImagingError) -> Result
  ) throws(ImagingError) -> Result {
    let file = try opened(url)
    do throws(ImagingError) {
      return try body(file)
    } catch {
      throw ImagingError(error.code, "\(file.path): \(error.description)", errno: error.errno)
    }
  }
}

// MARK: - Reading

extension PictureFile {
  private static let formatByteCount = 256

  /// What the file is by its first bytes; nil where they begin like no picture.
  borrowing func format() throws(ImagingError) -> ImageFormat? {
    let first = try LibCFileBridge.firstBytes(of: descriptor, count: Self.formatByteCount)
    guard !first.isEmpty else { throw Self.empty }
    return ImageFormat(recognizing: first.span.bytes)
  }

  /// All its bytes.
  ///
  /// - Parameter limit: The most that are read.
  /// - Returns: The bytes, in memory of their own.
  /// - Throws: `.tooLarge` where it has more, or there is no memory for them; `.corrupt` where it
  ///   has none; `.unreadable`.
  borrowing func contents(atMost limit: Int) throws(ImagingError) -> Data {
    let data = try LibCFileBridge.contents(of: descriptor, expected: byteCount, atMost: limit)
    guard !data.isEmpty else { throw Self.empty }
    return data
  }

  private static var empty: ImagingError {
    ImagingError(.corrupt, "The file is empty: whoever stored it was interrupted; store it again.")
  }
}

// MARK: - Refusals

extension PictureFile {
  private static func check(_ path: String, _ status: stat) throws(ImagingError) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw refusal(path, EISDIR)
    default:
      throw ImagingError(
        .unreadable,
        "\(path) is no regular file but a pipe, a socket or a device: read its bytes and make an "
          + "Image of them.")
    }
  }

  private static func refusal(_ path: String, _ number: Int32) -> ImagingError {
    let sentence =
      switch number {
      case ENOENT, ENOTDIR: "There is no file \(path): check its path."
      case EISDIR: "\(path) is a folder: name a picture file in it."
      case EACCES, EPERM:
        "The file \(path) may not be read by this user: change its permissions, or those of the "
          + "folders that it lies in."
      default: "The file \(path) cannot be read: \(String(cString: strerror(number)))."
      }
    return ImagingError(.unreadable, sentence, errno: number)
  }
}

/// Calls the kernel again as long as a signal interrupts it.
func uninterrupted<Number: FixedWidthInteger>(_ call: () -> Number) -> Number {
  while true {
    let result = call()
    guard result < 0, errno == EINTR else { return result }
  }
}
