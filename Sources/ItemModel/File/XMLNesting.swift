/// How deep the collections of an XML property list lie in each other, looked at before it is parsed.
///
/// Foundation's parser calls itself for each level and has no bound: a file of some hundred kilobytes
/// overflows the stack and ends the process.
enum XMLNesting {
  /// A list of items needs three levels.
  static let limit = 100

  /// Whether there are more levels than the limit; other files than XML have none.
  static func isTooDeep(_ bytes: [UInt8]) -> Bool {
    var depth = 0
    var tag: Tag?
    // In UTF-16 each letter of a tag has a zero beside it.
    for byte in bytes where byte != 0 {
      switch byte {
      case UInt8(ascii: "<"): tag = Tag()
      case UInt8(ascii: ">"):
        depth += tag?.levels ?? 0
        tag = nil
        if depth > limit { return true }
      default: tag?.append(byte)
      }
    }
    return false
  }

  private struct Tag {
    /// Its first six letters, the last one lowest.
    private var letters: UInt64 = 0
    private var count = 0
    private var last: UInt8 = 0

    mutating func append(_ byte: UInt8) {
      if count < 6 { letters = letters << 8 | UInt64(byte) }
      count = min(count + 1, 6)
      last = byte
    }

    /// What the tag adds to the depth.
    var levels: Int {
      if last == UInt8(ascii: "/") { return 0 }
      if name.starts(with: "array".utf8) || name.starts(with: "dict".utf8) { return 1 }
      return name.starts(with: "/array".utf8) || name.starts(with: "/dict".utf8) ? -1 : 0
    }

    private var name: [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: letters >> UInt64(8 * $0)) }
    }
  }
}
