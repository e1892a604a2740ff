import LinuxSystem

/// What was last published under the lock: which file it is, what is in it, and how many there were
/// before. Lies in the lock's file, so that the list itself stays what other programs expect.
struct FileSeal: Hashable, Sendable {
  /// Tells one state of a file from another without reading it.
  struct Mark: Hashable, Sendable {
    var fileNumber: UInt64
    var byteCount: Int
    var modified: Int64

    /// That of no file.
    static let none = Mark(fileNumber: 0, byteCount: 0, modified: 0)

    init(_ status: FileStatus) {
      fileNumber = status.fileNumber
      byteCount = status.byteCount
      modified = status.modified
    }

    fileprivate init(fileNumber: UInt64, byteCount: Int, modified: Int64) {
      self.fileNumber = fileNumber
      self.byteCount = byteCount
      self.modified = modified
    }
  }

  var generation: UInt64
  var mark: Mark
  var checksum: UInt64

  static func checksum(of bytes: [UInt8]) -> UInt64 {
    var hash = FNV1a()
    hash.add(bytes)
    return hash.value
  }

  /// Whether the bytes are not those that were published, though nobody has written the file since.
  func provesDamage(of bytes: [UInt8], at mark: Mark?) -> Bool {
    mark == self.mark && checksum != Self.checksum(of: bytes)
  }
}

// MARK: - Text

extension FileSeal {
  private static let title = "capturekit-items-1"
  private static let textLength = 160

  /// Of one length, so that a shorter one leaves nothing of a longer one behind.
  var text: [UInt8] {
    let check = String(checksum, radix: 16)
    let words =
      "\(Self.title) generation \(generation) file \(mark.fileNumber) bytes \(mark.byteCount) "
      + "modified \(mark.modified) fnv1a \(check)"
    return Array(words.utf8)
      + Array(repeating: UInt8(ascii: " "), count: max(1, Self.textLength - 1 - words.utf8.count))
      + [UInt8(ascii: "\n")]
  }

  /// nil for anything that is no whole seal.
  init?(_ text: [UInt8]) {
    guard text.last == UInt8(ascii: "\n") else { return nil }
    let words = String(decoding: text, as: UTF8.self).split { $0 == " " || $0 == "\n" }
    guard words.count == 11, words[0] == Self.title, let generation = UInt64(words[2]),
      let file = UInt64(words[4]), let byteCount = Int(words[6]), let modified = Int64(words[8]),
      let checksum = UInt64(words[10], radix: 16)
    else { return nil }
    self.generation = generation
    mark = Mark(fileNumber: file, byteCount: byteCount, modified: modified)
    self.checksum = checksum
  }
}
