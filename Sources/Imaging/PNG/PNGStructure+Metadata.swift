import Foundation

/// What the chunks of a PNG file say of it.
extension PNGStructure {
  /// The profile of the `iCCP` chunk: a name of up to 79 bytes, two zeros, the compressed profile.
  func colorProfile(in bytes: RawSpan) -> ColorProfile? {
    guard let content = first(ChunkType.colorProfile)?.content,
      let zero = content.prefix(80).first(where: { bytes.byte(at: $0) == 0 }),
      bytes.byte(at: zero + 1) == 0, zero + 2 < content.upperBound
    else { return nil }
    let compressed = bytes.extracting(zero + 2..<content.upperBound)
    return LibPNGBridge.inflated(compressed, limit: ColorProfile.maximumByteCount)
      .flatMap(ColorProfile.init)
  }
}
