import Imaging
import LinuxSystem

/// What a picture's extended attributes would say, in a file of its own: where the file system
/// has no attributes, or no room for a long key.
///
/// It is written before the picture takes its name, and then holds the checksums of the old
/// picture and of the new one, so that a crash at any moment leaves a picture with its checksum.
/// Whoever changes it holds the store's lock alone.
struct SideRecord: Sendable {
  /// One picture that may have the name.
  struct Entry: Hashable, Sendable {
    let checksum: Checksum
    /// Of the file that the checksum is about: another one with that name somebody else has put
    /// there.
    let fileNumber: UInt64
    let modified: Int64
  }

  var entries: [Entry]
  /// The whole key, where the picture's name does not say it.
  var key: String?

  private static let maximumByteCount = 16 << 20
  private static let keyLine = Array("key:\n".utf8)

  /// nil where there is none, or none that makes sense.
  init?(contentsOf path: String) {
    guard let file = try? OpenFile(reading: path), let status = try? file.status(path),
      status.isRegular, status.byteCount <= Self.maximumByteCount,
      let bytes = try? file.read(status.byteCount, path)
    else { return nil }
    self.init(parsing: bytes.bytes.array)
  }

  init(entries: [Entry], key: String?) {
    self.entries = entries
    self.key = key
  }

  init(parsing bytes: [UInt8]) {
    var rest = bytes[...]
    entries = []
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      if rest.starts(with: Self.keyLine) {
        key = String(validating: rest.dropFirst(Self.keyLine.count), as: UTF8.self)
        return
      }
      let words = rest[..<end].split(separator: UInt8(ascii: " "))
      if words.count == 3, let checksum = Checksum(Array(words[0])),
        let fileNumber = UInt64(String(decoding: words[1], as: UTF8.self)),
        let modified = Int64(String(decoding: words[2], as: UTF8.self))
      {
        entries.append(Entry(checksum: checksum, fileNumber: fileNumber, modified: modified))
      }
      rest = rest[(end + 1)...]
    }
  }

  /// What a file of it holds.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for entry in entries {
      bytes += entry.checksum.text
      bytes += Array(" \(entry.fileNumber) \(entry.modified)\n".utf8)
    }
    if let key { bytes += Self.keyLine + Array(key.utf8) }
    return bytes
  }
}
