/// Where the parts of a JPEG picture lie in its bytes (ITU-T T.81, annex B).
///
/// Tolerates what cameras do: bytes before the start marker, between segments and after the end
/// marker, and missing Huffman tables. Every step is bounded by the byte count.
struct JPEGStructure {
  /// A marker with its content.
  struct Segment {
    var marker: UInt8
    /// From the marker's 0xFF to the content's end.
    var range: Range<Int>
    /// After marker and length.
    var content: Range<Int> { range.lowerBound + 4..<range.upperBound }
  }

  /// One component of the frame header.
  struct Component {
    var identifier: UInt8
    var horizontal: Int
    var vertical: Int
  }

  /// The place of the start marker.
  private(set) var start = 0
  /// What lies between the start marker and the first scan.
  private(set) var segments: [Segment] = []
  /// The frame header's marker, 0xC0 to 0xCF.
  private(set) var frameMarker: UInt8 = 0
  private(set) var bitsPerSample = 0
  private(set) var width = 0
  private(set) var height = 0
  private(set) var components: [Component] = []
  /// The first scan's header.
  private(set) var scan = Segment(marker: Marker.scan, range: 0..<0)
  /// The number of scans that begin before the end, or before the bytes do.
  private(set) var scanCount = 0
  /// Application segments and comments between scans.
  private(set) var laterSegments: [Segment] = []
  /// The place after the end marker; nil where that is missing.
  private(set) var end: Int?
  /// The place behind the last byte that a decoder asks for, before the end marker: where a segment
  /// begins that the bytes stop in, or one that has no business in a single scan. nil where the
  /// bytes stop before there is any.
  private(set) var endOfSamples: Int?

  /// The minimum coded units between two restart markers; 0 where there are none.
  private var restartInterval = 0
  private var restartCount = 0
  private var areRestartsInOrder = true

  /// Marker codes, the byte after 0xFF.
  enum Marker {
    static let start: UInt8 = 0xD8
    static let end: UInt8 = 0xD9
    static let scan: UInt8 = 0xDA
    static let huffmanTables: UInt8 = 0xC4
    static let app0: UInt8 = 0xE0
    static let app1: UInt8 = 0xE1
    static let restartInterval: UInt8 = 0xDD
    static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
    static let temporary: UInt8 = 0x01
    /// Decoders take lower ones within a scan for damage, and look for the next.
    static let firstOfDecoders: UInt8 = 0xC0
  }

  /// Walks the markers.
  ///
  /// - Throws: `.corrupt` where the bytes are no JPEG, `.incomplete` where they stop before the
  ///   first scan. A missing end marker is not thrown: `end` is nil.
  init(walking bytes: RawSpan) throws(ImagingError) {
    try findStart(in: bytes)
    try walkToScan(in: bytes)
    walkToEnd(in: bytes)
  }

  /// Walks the headers only: the scan and what follows it are not looked at, and `end` is nil.
  ///
  /// - Throws: As the whole walk.
  init(headersOf bytes: RawSpan) throws(ImagingError) {
    try findStart(in: bytes)
    try walkToScan(in: bytes)
  }

  /// Whether a scan carries all components at once and no other follows, as cameras' do.
  private var isOneScan: Bool {
    frameMarker <= 0xC1 && scanComponentCount == components.count
  }
  private var scanComponentCount = 0

  /// Whether the scan's restart markers are all there and in order; true where it has none to have.
  ///
  /// Costs next to nothing, and shows most damage that decoding would: noise seldom spares them.
  var hasAllRestarts: Bool {
    guard isOneScan, restartInterval > 0 else { return true }
    let expected = (codedUnitCount - 1) / restartInterval
    // Some encoders write one after the last interval, too.
    return areRestartsInOrder && (expected...expected + 1).contains(restartCount)
  }

  private var codedUnitCount: Int {
    // The only component of a scan is coded block by block, whatever its factors.
    let isAlone = components.count == 1
    let across = isAlone ? 8 : 8 * (components.map(\.horizontal).max() ?? 1)
    let down = isAlone ? 8 : 8 * (components.map(\.vertical).max() ?? 1)
    return ((width + across - 1) / across) * ((height + down - 1) / down)
  }
}

// MARK: - The walk

extension JPEGStructure {
  private mutating func findStart(in bytes: RawSpan) throws(ImagingError) {
    guard let place = Self.placeOfStart(in: bytes) else {
      throw ImagingError(.corrupt, "The bytes are no JPEG: they have no start marker.")
    }
    start = place
  }

  /// The first start marker from a place on that another marker follows; nil where there is none.
  static func placeOfStart(in bytes: RawSpan, from start: Int = 0) -> Int? {
    var offset = start
    while let place = LibJPEGBridge.nextMarker(in: bytes, from: offset) {
      if bytes.byte(at: place + 1) == Marker.start, bytes.byte(at: place + 2) == 0xFF {
        return place
      }
      offset = place + 2
    }
    return nil
  }

  private mutating func walkToScan(in bytes: RawSpan) throws(ImagingError) {
    var offset = start + 2
    while let place = LibJPEGBridge.nextMarker(in: bytes, from: offset) {
      let marker = bytes.byte(at: place + 1) ?? 0
      if marker == Marker.temporary {
        offset = place + 2
        continue
      }
      guard marker != Marker.start, marker != Marker.end else {
        throw ImagingError(.corrupt, "The JPEG is damaged: it has no scan.")
      }
      let segment = try segment(marker, at: place, in: bytes)
      if marker == Marker.scan {
        guard !components.isEmpty else {
          throw ImagingError(.corrupt, "The JPEG is damaged: it has no frame header.")
        }
        scan = segment
        scanComponentCount = Int(bytes.byte(at: segment.range.lowerBound + 4) ?? 0)
        return
      }
      if Self.isFrameHeader(marker) { try readFrameHeader(segment, in: bytes) }
      if marker == Marker.restartInterval {
        restartInterval = bytes.bigEndian16(at: segment.content.lowerBound) ?? 0
      }
      segments.append(segment)
      offset = segment.range.upperBound
    }
    throw ImagingError(.incomplete, "The JPEG stops within its headers.")
  }

  private func segment(
    _ marker: UInt8, at place: Int, in bytes: RawSpan
  ) throws(ImagingError) -> Segment {
    guard let length = bytes.bigEndian16(at: place + 2), place + 2 + length <= bytes.byteCount
    else { throw ImagingError(.incomplete, "The JPEG stops within its headers.") }
    guard length >= 2 else {
      throw ImagingError(.corrupt, "The JPEG is damaged: a segment has a length of \(length).")
    }
    return Segment(marker: marker, range: place..<place + 2 + length)
  }

  /// SOF0 to SOF15; the codes between them are tables.
  private static func isFrameHeader(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }

  private mutating func readFrameHeader(
    _ segment: Segment, in bytes: RawSpan
  ) throws(ImagingError) {
    let first = segment.range.lowerBound + 4
    let corrupt = ImagingError(.corrupt, "The JPEG is damaged: its frame header makes no sense.")
    guard components.isEmpty, segment.range.count >= 10,
      let count = bytes.byte(at: first + 5).map(Int.init), count > 0,
      segment.range.count >= 10 + 3 * count
    else { throw corrupt }
    frameMarker = segment.marker
    bitsPerSample = Int(bytes.byte(at: first) ?? 0)
    height = bytes.bigEndian16(at: first + 1) ?? 0
    width = bytes.bigEndian16(at: first + 3) ?? 0
    guard width > 0, height > 0 else {
      throw ImagingError(.corrupt, "The JPEG is damaged: its header tells no size.")
    }
    for index in 0..<count {
      let place = first + 6 + 3 * index
      let sampling = bytes.byte(at: place + 1) ?? 0
      let component = Component(
        identifier: bytes.byte(at: place) ?? 0, horizontal: Int(sampling >> 4),
        vertical: Int(sampling & 15))
      guard (1...4).contains(component.horizontal), (1...4).contains(component.vertical) else {
        throw corrupt
      }
      components.append(component)
    }
  }

  /// Finds the end marker.
  ///
  /// Not from the end of the bytes backwards: drivers hand out buffers in which an older, longer
  /// frame's end, with its own end marker, still lies behind a shorter frame.
  private mutating func walkToEnd(in bytes: RawSpan) {
    scanCount = 1
    var offset = scan.range.upperBound
    let countsRestarts = isOneScan && restartInterval > 0
    while let place = LibJPEGBridge.nextMarker(
      in: bytes, from: offset, withRestarts: countsRestarts)
    {
      let marker = bytes.byte(at: place + 1) ?? 0
      if marker == Marker.end {
        end = place + 2
        endOfSamples = endOfSamples ?? place
        return
      }
      offset = place + 2
      if countsRestarts, Marker.restarts.contains(marker) {
        countRestart(marker)
        continue
      }
      // Whatever a camera leaves in its only scan is no segment and has no length; no decoder looks
      // behind what would be one.
      guard !isOneScan else {
        if marker >= Marker.firstOfDecoders, endOfSamples == nil { endOfSamples = place }
        continue
      }
      if marker == Marker.scan { scanCount += 1 }
      guard Self.hasContent(marker), let length = bytes.bigEndian16(at: place + 2), length >= 2
      else { continue }
      guard place + 2 + length <= bytes.byteCount else {
        // The bytes stop in it, whatever looks like an end marker there.
        if Self.isAboutThePicture(marker) {
          endOfSamples = place
          return
        }
        continue
      }
      offset = place + 2 + length
      if Self.isAboutThePicture(marker) {
        laterSegments.append(Segment(marker: marker, range: place..<offset))
      }
    }
  }

  private mutating func countRestart(_ marker: UInt8) {
    if Int(marker & 7) != restartCount & 7 { areRestartsInOrder = false }
    restartCount += 1
  }

  /// Tables, scans, application data and comments.
  private static func hasContent(_ marker: UInt8) -> Bool {
    marker == 0xC4 || marker == 0xCC || (0xDA...0xDF).contains(marker) || isAboutThePicture(marker)
  }

  private static func isAboutThePicture(_ marker: UInt8) -> Bool {
    (0xE0...0xEF).contains(marker) || marker == 0xFE
  }
}

// MARK: - What the segments are

extension JPEGStructure {
  /// Whether a segment is Exif's.
  static func isExif(_ segment: Segment, in bytes: RawSpan) -> Bool {
    segment.marker == Marker.app1 && bytes.holds("Exif\0", at: segment.content.lowerBound)
      && segment.content.count >= 6
  }

  /// Where the first Exif segment's TIFF structure lies.
  func exif(in bytes: RawSpan) -> Range<Int>? {
    segments.first { Self.isExif($0, in: bytes) }
      .map { $0.content.lowerBound + 6..<$0.content.upperBound }
  }

  /// The Huffman tables that the first scan names and no segment defines, as `class << 4 | number`.
  func missingHuffmanTables(in bytes: RawSpan) -> [UInt8] {
    guard frameMarker <= 0xC1 else { return [] }
    let defined = definedHuffmanTables(in: bytes)
    var missing: [UInt8] = []
    for index in 0..<scanComponentCount {
      guard let selector = bytes.byte(at: scan.range.lowerBound + 6 + 2 * index) else { break }
      for table in [selector >> 4, 0x10 | (selector & 15)]
      where !defined.contains(table) && !missing.contains(table) {
        missing.append(table)
      }
    }
    return missing
  }

  /// Each once: there are no more than the values of a byte, and four in most pictures.
  private func definedHuffmanTables(in bytes: RawSpan) -> [UInt8] {
    var tables: [UInt8] = []
    for segment in segments where segment.marker == Marker.huffmanTables {
      var offset = segment.content.lowerBound
      while offset + 17 <= segment.content.upperBound, let table = bytes.byte(at: offset) {
        if !tables.contains(table) { tables.append(table) }
        offset += 17 + (1...16).reduce(0) { $0 + Int(bytes.byte(at: offset + $1) ?? 0) }
      }
    }
    return tables
  }
}
