import Foundation

/// XMP in JPEG files: a packet in a segment, and what has no room there in further ones (XMP part
/// 3, 1.1.3).
extension JPEGStructure {
  private static let xmpHeader: StaticString = "http://ns.adobe.com/xap/1.0/\0"
  /// After the letters: what it belongs to, its length and the part's place in it.
  private static let extensionHeaderByteCount = 75

  static func isXMP(_ segment: Segment, in bytes: RawSpan) -> Bool {
    segment.marker == Marker.app1 && bytes.holds(xmpHeader, at: segment.content.lowerBound)
  }

  func hasXMP(in bytes: RawSpan) -> Bool {
    segments.contains { Self.isXMP($0, in: bytes) }
  }

  static func isExtendedXMP(_ segment: Segment, in bytes: RawSpan) -> Bool {
    segment.marker == Marker.app1
      && bytes.holds("http://ns.adobe.com/xmp/extension/\0", at: segment.content.lowerBound)
  }

  /// The packet of an XMP segment.
  static func packet(of segment: Segment) -> Range<Int> {
    segment.content.dropFirst(xmpHeader.utf8CodeUnitCount)
  }

  /// Whether what goes on behind the packet has such properties, or is not understood.
  ///
  /// Its parts belong together: a name may begin in one and end in the next.
  func extendedXMPHas(_ properties: XMPPacket.Properties, in bytes: RawSpan) -> Bool {
    var parts: [(place: Int, content: Range<Int>)] = []
    for segment in segments where Self.isExtendedXMP(segment, in: bytes) {
      let place = bytes.bigEndian32(at: segment.content.lowerBound + 71) ?? 0
      parts.append((place, segment.content.dropFirst(Self.extensionHeaderByteCount)))
    }
    guard !parts.isEmpty else { return false }
    parts.sort { $0.place < $1.place }
    return XMPPacket.has(properties, parts.flatMap { bytes.extracting($0.content).array })
  }

  /// An XMP segment without some of its properties; empty where all of it has to go.
  static func xmpSegment(
    _ segment: Segment, in bytes: RawSpan, without properties: XMPPacket.Properties,
    keepsExtension: Bool
  ) -> [UInt8] {
    let packet = packet(of: segment)
    let changed = XMPPacket.without(
      properties, bytes.extracting(packet).array, keepsExtension: keepsExtension)
    guard let changed else { return [] }
    return bytes.extracting(segment.range.lowerBound..<packet.lowerBound).array + changed
  }

  /// A file's XMP without some of its properties; the file itself where it has none of them.
  func without(_ properties: XMPPacket.Properties, in data: Data) -> Data {
    let bytes = data.bytes
    guard hasXMP(in: bytes) else { return data }
    let keepsExtension = !extendedXMPHas(properties, in: bytes)
    var result = Data(capacity: data.count)
    var place = 0
    for segment in segments {
      let isExtension = Self.isExtendedXMP(segment, in: bytes)
      guard isExtension && !keepsExtension || Self.isXMP(segment, in: bytes) else { continue }
      result.append(place..<segment.range.lowerBound, of: bytes)
      place = segment.range.upperBound
      guard !isExtension else { continue }
      result.append(
        contentsOf: Self.xmpSegment(
          segment, in: bytes, without: properties, keepsExtension: keepsExtension))
    }
    result.append(place..<data.count, of: bytes)
    return result
  }

  /// Makes XMP say the same orientation as EXIF does; it need not say any.
  func setOrientationInXMP(of data: inout Data, to orientation: ImageOrientation) {
    for segment in segments where Self.isXMP(segment, in: data.bytes) {
      let packet = Self.packet(of: segment)
      guard let place = XMPPacket.placeOfOrientation(in: data.bytes.extracting(packet)) else {
        continue
      }
      data.overwrite(
        at: packet.lowerBound + place, with: [UInt8(ascii: "0") + UInt8(orientation.rawValue)])
    }
  }
}

extension Data {
  /// Puts bytes in the place of others.
  mutating func overwrite(at place: Int, with bytes: [UInt8]) {
    let start = startIndex + place
    replaceSubrange(start..<start + bytes.count, with: bytes)
  }
}
