import Foundation

extension PNGPicture {
  private typealias ChunkType = PNGStructure.ChunkType

  func exif(in bytes: RawSpan) -> Range<Int>? { structure.first(ChunkType.exif)?.content }

  func replacingExif(in data: Data, with tiff: [UInt8]) -> Data {
    let place = structure.placeOfExif
    var writer = PNGWriter(byteCount: data.count + tiff.count + 12)
    for (index, chunk) in structure.chunks.enumerated() {
      if index == place, !tiff.isEmpty { writer.write(ChunkType.exif, tiff) }
      if let xmp = xmp(of: chunk, in: data.bytes, sayingAs: tiff) {
        writer.write(chunk.type, xmp)
      } else if chunk.type != ChunkType.exif {
        writer.copy(chunk, of: data.bytes)
      }
    }
    if place == structure.chunks.count, !tiff.isEmpty { writer.write(ChunkType.exif, tiff) }
    return writer.finished(with: structure, of: data.bytes)
  }

  /// What an XMP chunk becomes whose orientation is another one than EXIF's; nil for others.
  private func xmp(
    of chunk: PNGStructure.Chunk, in bytes: RawSpan, sayingAs tiff: [UInt8]
  ) -> [UInt8]? {
    guard chunk.type == ChunkType.internationalText, !tiff.isEmpty,
      let text = text(of: chunk, in: bytes, Image.Limits(metadataByteCount: 1 << 20)), text.isXMP
    else { return nil }
    return text.xmp(saying: ImageMetadata(readingTIFF: tiff.span.bytes).orientation)
  }

  func removingPosition(
    from data: Data, limits: Image.Limits
  ) throws(ImagingError) -> Data {
    let bytes = data.bytes
    try checkTexts(in: bytes, limits)
    var writer = PNGWriter(byteCount: data.count)
    for chunk in structure.chunks {
      guard let text = text(of: chunk, in: bytes, limits), text.isXMP, text.has(.position) else {
        writer.copy(chunk, of: bytes)
        continue
      }
      if let xmp = text.xmp(without: .position) { writer.write(ChunkType.internationalText, xmp) }
    }
    return writer.finished(with: structure, of: bytes)
  }

  func strippingLocation(
    from data: Data, limits: Image.Limits
  ) throws(ImagingError) -> Data {
    let bytes = data.bytes
    try checkTexts(in: bytes, limits)
    var writer = PNGWriter(byteCount: data.count)
    let exif = exif(in: bytes)
    for chunk in structure.chunks {
      if chunk.type == ChunkType.exif {
        // A second one would be read once the first one is gone.
        guard chunk.content == exif else { continue }
        let stripped = ExifBlock.strippingLocation(
          from: bytes.extracting(chunk.content), size: structure.size)
        if !stripped.isEmpty { writer.write(chunk.type, stripped) }
      } else if let text = text(of: chunk, in: bytes, limits) {
        if !text.saysPlace {
          writer.copy(chunk, of: bytes)
        } else if text.isXMP, let xmp = text.xmp(without: .places) {
          writer.write(ChunkType.internationalText, xmp)
        }
      } else if PNGStructure.isAboutPixels(chunk.type) || chunk.type == ChunkType.time {
        writer.copy(chunk, of: bytes)
      }
    }
    return writer.finished(with: structure, of: bytes, keepsRest: false)
  }

  /// nil for chunks that are no text.
  private func text(
    of chunk: PNGStructure.Chunk, in bytes: RawSpan, _ limits: Image.Limits
  ) -> PNGText? {
    guard PNGStructure.isText(chunk.type) else { return nil }
    return PNGText(chunk, in: bytes) {
      LibPNGBridge.inflated($0, limit: limits.metadataByteCount).map { [UInt8]($0) }
    }
  }

  /// Refuses texts that are longer than metadata may be, all together, before one of them is looked
  /// at: a file of a few kilobytes can hold gigabytes of them.
  private func checkTexts(in bytes: RawSpan, _ limits: Image.Limits) throws(ImagingError) {
    var left = limits.metadataByteCount
    for chunk in structure.chunks where PNGStructure.isText(chunk.type) {
      _ = PNGText(chunk, in: bytes) { compressed in
        left -= LibPNGBridge.inflatedByteCount(compressed, limit: left)
        return nil
      }
      guard left >= 0 else {
        throw .tooMuchMetadata("more than \(limits.metadataByteCount)", limits)
      }
    }
  }

  func strippingMetadata(from data: Data, keeping orientation: ImageOrientation) -> Data {
    var writer = PNGWriter(byteCount: data.count)
    var block = ExifBlock()
    block.set(ExifBlock.Tag.orientation, in: .main, short: UInt16(orientation.rawValue))
    let place = orientation == .up ? nil : structure.placeOfExif
    for (index, chunk) in structure.chunks.enumerated() {
      if index == place { writer.write(ChunkType.exif, block.serialized()) }
      if PNGStructure.isAboutPixels(chunk.type) { writer.copy(chunk, of: data.bytes) }
    }
    if place == structure.chunks.count { writer.write(ChunkType.exif, block.serialized()) }
    return writer.finished(with: structure, of: data.bytes, keepsRest: false)
  }
}

extension PNGStructure {
  /// The index of the chunk that EXIF is put before, or in the place of: the samples, if it is new.
  fileprivate var placeOfExif: Int {
    let types = [ChunkType.exif, ChunkType.data, ChunkType.end]
    return types.lazy.compactMap { type in chunks.firstIndex { $0.type == type } }.first
      ?? chunks.count
  }

  fileprivate static func isText(_ type: UInt32) -> Bool {
    [ChunkType.text, ChunkType.compressedText, ChunkType.internationalText].contains(type)
  }

  /// Whether pixels look otherwise without a chunk: critical ones, colours, transparency, shape,
  /// animations.
  fileprivate static func isAboutPixels(_ type: UInt32) -> Bool {
    let isCritical = type & 0x2000_0000 == 0
    let others =
      [
        0x7452_4E53,  // tRNS
        0x6741_4D41,  // gAMA
        0x6348_524D,  // cHRM
        0x7352_4742,  // sRGB
        0x6943_4350,  // iCCP
        0x6349_4350,  // cICP
        0x7342_4954,  // sBIT
        0x624B_4744,  // bKGD
        0x7048_5973,  // pHYs
        0x6163_544C,  // acTL
        0x6663_544C,  // fcTL
        0x6664_4154,  // fdAT
      ] as [UInt32]
    return isCritical || others.contains(type)
  }
}

extension PNGWriter {
  /// The file; what follows the last whole chunk of a damaged one stays, or only samples do.
  fileprivate func finished(
    with structure: PNGStructure, of bytes: RawSpan, keepsRest: Bool = true
  ) -> Data {
    let end = structure.chunks.last?.range.upperBound ?? bytes.byteCount
    guard keepsRest || structure.cutDataByteCount > 0 else { return data }
    var result = data
    result.append(end..<bytes.byteCount, of: bytes)
    return result
  }
}
