import CLibXXHash

/// The one file that talks to libxxhash.
enum LibXXHashBridge {
  /// XXH3 of 128 bits; as numbers, the high half first.
  static func hash(_ bytes: RawSpan) -> (high: UInt64, low: UInt64) {
    let hash = bytes.withUnsafeBytes { XXH3_128bits($0.baseAddress, $0.count) }
    return (hash.high64, hash.low64)
  }
}
