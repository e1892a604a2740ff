/// What a JPEG picture says of itself before a sample is decoded (ITU-T T.81, annex B).
public struct JPEGHeader: Hashable, Sendable {
  /// How often a component is sampled in a block unit.
  public struct Sampling: Hashable, Sendable {
    /// Samples side by side, 1 to 4.
    public let horizontal: Int
    /// Samples one below the other, 1 to 4.
    public let vertical: Int
  }

  /// Pixels in a row, as stored.
  public let width: Int
  /// Rows, as stored.
  public let height: Int
  /// Bits of one sample of one component; 8 in nearly all pictures.
  public let bitsPerSample: Int
  /// Each component's sampling, in the order of the frame header.
  public let sampling: [Sampling]
  /// Whether the picture comes in scans of growing detail.
  public let isProgressive: Bool
  /// Whether it is coded arithmetically instead of by Huffman's method.
  public let isArithmetic: Bool
  /// Whether it uses JPEG's lossless process, which hardly any program reads.
  public let isLossless: Bool
  /// Whether all Huffman tables are there that the first scan needs; many webcams leave them out.
  public let hasHuffmanTables: Bool
  /// What its EXIF block says; `.up` without one.
  public let orientation: ImageOrientation
  /// The number of scans.
  public let scanCount: Int
  /// Bytes that precede the start marker.
  public let startOffset: Int
  /// Where the picture ends, after its end marker; nil where that is missing.
  public let endOffset: Int?

  /// Reads the headers and finds the end.
  ///
  /// - Parameter bytes: A JPEG picture; bytes before its start and after its end do no harm.
  /// - Throws: `.corrupt` where the bytes are no JPEG, `.incomplete` where they stop before the
  ///   first scan. A missing end marker is not thrown.
  public init(parsing bytes: RawSpan) throws(ImagingError) {
    self.init(try JPEGStructure(walking: bytes), in: bytes)
  }

  init(_ structure: JPEGStructure, in bytes: RawSpan) {
    width = structure.width
    height = structure.height
    bitsPerSample = structure.bitsPerSample
    sampling = structure.components.map {
      Sampling(horizontal: $0.horizontal, vertical: $0.vertical)
    }
    // The frame headers' codes: C0 to C3 and C5 to C7 by Huffman, C9 to CF arithmetic; of each
    // four the third is progressive and the fourth lossless.
    isProgressive = structure.frameMarker & 3 == 2
    isLossless = structure.frameMarker & 3 == 3
    isArithmetic = structure.frameMarker > 0xC8
    hasHuffmanTables = structure.missingHuffmanTables(in: bytes).isEmpty
    orientation = ImageMetadata(structure, in: bytes).orientation
    scanCount = structure.scanCount
    startOffset = structure.start
    endOffset = structure.end
  }

  /// The number of colour components: 1 grey, 3 colour, 4 CMYK.
  public var componentCount: Int { sampling.count }

  /// The usual words for the sampling: `"4:2:2"`, `"grey"`; factors where there are none.
  public var samplingDescription: String {
    guard sampling.count > 1, let luma = sampling.first else { return "grey" }
    if sampling.allSatisfy({ $0 == luma }) { return "4:4:4" }
    let chroma = sampling.dropFirst()
    if chroma.allSatisfy({ $0.horizontal == 1 && $0.vertical == 1 }) {
      switch (luma.horizontal, luma.vertical) {
      case (2, 1): return "4:2:2"
      case (2, 2): return "4:2:0"
      case (1, 2): return "4:4:0"
      case (4, 1): return "4:1:1"
      default: break
      }
    }
    return sampling.map { "\($0.horizontal)×\($0.vertical)" }.joined(separator: ",")
  }
}
