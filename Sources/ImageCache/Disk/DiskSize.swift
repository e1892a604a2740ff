import LinuxSystem

/// How many bytes a folder's pictures have together, as all processes that write there count it.
///
/// A number in a small file, changed under a lock. It may be too large, after a crash or where
/// somebody has deleted files, never too small but for files that somebody has added; a
/// search of the folder puts it right.
struct DiskSize: Sendable {
  let path: String

  /// nil where nobody has counted so far.
  var value: Int? { change { $0 } }

  /// - Returns: The bytes with these; nil where nobody has counted so far, and these are not
  ///   counted either.
  @discardableResult
  func add(_ byteCount: Int) -> Int? { change { $0.map { max(0, $0 + byteCount) } } }

  /// Says what the number was, and gets what it is.
  @discardableResult
  func change(_ body: (Int?) -> Int?) -> Int? {
    guard
      let lock = try? FileLock(
        path, .exclusive, within: DiskTier.lockPatience, isWritable: true)
    else { return nil }
    var old: Int?
    if let bytes = try? lock.file.read(Self.digitCount, path) { old = Self.number(bytes) }
    let new = body(old)
    if let new, new != old { try? lock.file.writeOver(Self.text(new), path) }
    _ = consume lock
    return new
  }

  private static let digitCount = 20

  private static func number(_ bytes: borrowing FileBytes) -> Int? {
    guard bytes.byteCount == digitCount else { return nil }
    var number = 0
    for offset in 0..<digitCount - 1 {
      let digit = bytes.bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self) &- 0x30
      guard digit < 10, number < 1 << 58 else { return nil }
      number = number * 10 + Int(digit)
    }
    return number
  }

  /// Nineteen digits and a line's end: the length is always the same.
  private static func text(_ number: Int) -> [UInt8] {
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(0, digitCount - 1 - digits.utf8.count))
    return Array((zeros + digits + "\n").utf8)
  }
}
