/// Where the parts of a PNG picture lie in its bytes (ISO/IEC 15948, RFC 2083).
///
/// Nothing is decoded and no checksum computed; every step is bounded by the byte count.
struct PNGStructure {
  /// A chunk: length, type, content, checksum.
  struct Chunk {
    /// The four letters of its type, the first one highest.
    var type: UInt32
    /// From the length's first byte to after the checksum.
    var range: Range<Int>
    var content: Range<Int> { range.lowerBound + 8..<range.upperBound - 4 }
  }

  /// How the samples of a pixel are stored.
  enum ColorType: UInt8 {
    case grey = 0
    case rgb = 2
    case palette = 3
    case greyAlpha = 4
    case rgbAlpha = 6

    var channelCount: Int {
      switch self {
      case .grey, .palette: 1
      case .greyAlpha: 2
      case .rgb: 3
      case .rgbAlpha: 4
      }
    }

    fileprivate var depths: [UInt8] {
      switch self {
      case .grey: [1, 2, 4, 8, 16]
      case .palette: [1, 2, 4, 8]
      case .rgb, .greyAlpha, .rgbAlpha: [8, 16]
      }
    }
  }

  private(set) var width = 0
  private(set) var height = 0
  private(set) var bitsPerSample = 0
  private(set) var colorType = ColorType.grey
  private(set) var isInterlaced = false
  /// All chunks up to the end, in their order; the ones of samples too.
  private(set) var chunks: [Chunk] = []
  /// The place after the last chunk; nil where that is missing.
  private(set) var end: Int?

  /// Bytes of a chunk of samples that the picture stops in.
  private(set) var cutDataByteCount = 0

  static let signatureByteCount = 8

  /// Walks the chunks.
  ///
  /// - Throws: `.corrupt` where the bytes are no PNG, or its header makes no sense; `.incomplete`
  ///   where they stop within the header. That they stop later is not thrown: `end` is nil.
  init(walking bytes: RawSpan) throws(ImagingError) {
    guard Self.hasSignature(bytes) else {
      throw ImagingError(.corrupt, "The bytes are no PNG: they do not begin as one does.")
    }
    try readHeader(in: bytes)
    var offset = Self.signatureByteCount
    while let chunk = Self.chunk(at: offset, in: bytes) {
      chunks.append(chunk)
      offset = chunk.range.upperBound
      if chunk.type == ChunkType.end {
        end = offset
        return
      }
    }
    if bytes.bigEndian32(at: offset + 4) == Int(ChunkType.data) {
      cutDataByteCount = bytes.byteCount - offset - 8
    }
  }

  var size: PixelSize { PixelSize(width: width, height: height) }

  /// Whether a pixel may be transparent.
  var hasAlpha: Bool {
    colorType == .greyAlpha || colorType == .rgbAlpha || first(ChunkType.transparency) != nil
  }

  var isGrey: Bool { colorType == .grey || colorType == .greyAlpha }

  func first(_ type: UInt32) -> Chunk? { chunks.first { $0.type == type } }

  /// Bytes of all rows before they are compressed, each with the byte that names its filter; a
  /// little less than that for interlaced pictures.
  var filteredByteCount: Int {
    height * (1 + (width * colorType.channelCount * bitsPerSample + 7) / 8)
  }

  /// Bytes of the chunks without which the picture could still be shown.
  var metadataByteCount: Int {
    chunks.reduce(0) { sum, chunk in
      // A small first letter says so (5.4); what an animation goes on with is none of these.
      chunk.type & 0x2000_0000 != 0 && chunk.type != ChunkType.animationData
        ? sum + chunk.range.count : sum
    }
  }

  /// Compressed bytes of the samples.
  var dataByteCount: Int {
    chunks.reduce(cutDataByteCount) { $1.type == ChunkType.data ? $0 + $1.content.count : $0 }
  }
}

// MARK: - The walk

extension PNGStructure {
  private static func hasSignature(_ bytes: RawSpan) -> Bool {
    let signature: InlineArray<8, UInt8> = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    return signature.indices.allSatisfy { bytes.byte(at: $0) == signature[$0] }
  }

  private mutating func readHeader(in bytes: RawSpan) throws(ImagingError) {
    guard let header = Self.chunk(at: Self.signatureByteCount, in: bytes) else {
      throw ImagingError(.incomplete, "The PNG stops within its header.")
    }
    let start = header.content.lowerBound
    guard header.type == ChunkType.header, header.content.count == 13,
      let width = bytes.bigEndian32(at: start), let height = bytes.bigEndian32(at: start + 4),
      let depth = bytes.byte(at: start + 8),
      let colorType = bytes.byte(at: start + 9).flatMap(ColorType.init),
      colorType.depths.contains(depth), let interlacing = bytes.byte(at: start + 12),
      interlacing <= 1
    else {
      throw ImagingError(.corrupt, "The PNG is damaged: its header makes no sense.")
    }
    // The standard's own limit is 2³¹ − 1: a product of two sides fits into an Int.
    guard (1...0x7FFF_FFFF).contains(width), (1...0x7FFF_FFFF).contains(height) else {
      throw ImagingError(.corrupt, "The PNG is damaged: its header tells no size.")
    }
    self.width = width
    self.height = height
    bitsPerSample = Int(depth)
    self.colorType = colorType
    isInterlaced = interlacing == 1
  }

  /// nil where the bytes stop before the chunk does.
  private static func chunk(at offset: Int, in bytes: RawSpan) -> Chunk? {
    guard let length = bytes.bigEndian32(at: offset), let type = bytes.bigEndian32(at: offset + 4),
      length <= bytes.byteCount - offset - 12
    else { return nil }
    return Chunk(type: UInt32(type), range: offset..<offset + 12 + length)
  }
}

// MARK: - Chunk types

extension PNGStructure {
  /// The four letters of a type as a number.
  enum ChunkType {
    static let header: UInt32 = 0x4948_4452  // IHDR
    static let palette: UInt32 = 0x504C_5445  // PLTE
    static let data: UInt32 = 0x4944_4154  // IDAT
    static let end: UInt32 = 0x4945_4E44  // IEND
    static let transparency: UInt32 = 0x7452_4E53  // tRNS
    static let gamma: UInt32 = 0x6741_4D41  // gAMA
    static let colorProfile: UInt32 = 0x6943_4350  // iCCP
    static let sRGB: UInt32 = 0x7352_4742  // sRGB
    static let exif: UInt32 = 0x6558_4966  // eXIf
    static let text: UInt32 = 0x7445_5874  // tEXt
    static let compressedText: UInt32 = 0x7A54_5874  // zTXt
    static let internationalText: UInt32 = 0x6954_5874  // iTXt
    static let animationData: UInt32 = 0x6664_4154  // fdAT
    static let time: UInt32 = 0x7449_4D45  // tIME
  }
}
