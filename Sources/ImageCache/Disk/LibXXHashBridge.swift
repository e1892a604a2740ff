import CChecksum

/// The one file that talks to libxxhash.
enum LibXXHashBridge {
  /// XXH3 of 128 bits; as numbers, the high half first.
  static func hash(_ bytes: RawSpan) -> (high: UInt64, low: UInt64) {
    let hash = bytes.withUnsafeBytes { ck_checksum_of($0.baseAddress, $0.count) }
    return (hash.high, hash.low)
  }

  /// The same by the library's own code; tests hold both against each other.
  static func hashByLibrary(_ bytes: RawSpan) -> (high: UInt64, low: UInt64) {
    let hash = bytes.withUnsafeBytes { ck_checksum_by_library($0.baseAddress, $0.count) }
    return (hash.high, hash.low)
  }
}
