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

  /// A newly encoded file with a profile and EXIF, before its samples.
  func adding(_ profile: ColorProfile?, exif: [UInt8], to data: Data) -> Data {
    var writer = PNGWriter(byteCount: data.count + exif.count + (profile?.data.count ?? 0) + 64)
    for (index, chunk) in chunks.enumerated() {
      writer.copy(chunk, of: data.bytes)
      guard index == 0 else { continue }
      if let profile, let compressed = LibPNGBridge.deflated(profile.data) {
        writer.write(ChunkType.colorProfile, Array("ICC profile".utf8) + [0, 0] + compressed)
      }
      if !exif.isEmpty { writer.write(ChunkType.exif, exif) }
    }
    return writer.data
  }
}
