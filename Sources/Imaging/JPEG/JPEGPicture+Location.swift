import Foundation

extension JPEGStructure {
  /// The letters and the zero that begin an XMP segment (XMP part 3, 1.1.3).
  static let xmpHeaderByteCount = 29

  static func isXMP(_ segment: Segment, in bytes: RawSpan) -> Bool {
    segment.marker == Marker.app1
      && bytes.holds("http://ns.adobe.com/xap/1.0/\0", at: segment.content.lowerBound)
  }

  fileprivate static func isExtendedXMP(_ segment: Segment, in bytes: RawSpan) -> Bool {
    segment.marker == Marker.app1
      && bytes.holds("http://ns.adobe.com/xmp/extension/\0", at: segment.content.lowerBound)
  }

  /// The index of further pictures behind the end of the first one (CIPA DC-007).
  fileprivate static func isPictureIndex(_ segment: Segment, in bytes: RawSpan) -> Bool {
    segment.marker == 0xE2 && bytes.holds("MPF\0", at: segment.content.lowerBound)
  }

  fileprivate static func isPhotoshop(_ segment: Segment, in bytes: RawSpan) -> Bool {
    segment.marker == 0xED && bytes.holds("Photoshop 3.0\0", at: segment.content.lowerBound)
  }
}

extension JPEGPicture {
  func strippingLocation(from data: Data, limits: Image.Limits) throws(ImagingError) -> Data {
    let bytes = data.bytes
    let structure = try JPEGStructure(walking: bytes)
    let keepsExtension = !hasLocationInExtendedXMP(bytes)
    var result = Data(capacity: data.count)
    result.append(contentsOf: [0xFF, JPEGStructure.Marker.start])
    for segment in structure.segments {
      if JPEGStructure.isExtendedXMP(segment, in: bytes) {
        if keepsExtension { result.append(segment.range, of: bytes) }
      } else if let changed = try changed(segment, in: bytes, keepsExtension: keepsExtension) {
        result.append(contentsOf: changed)
      } else {
        result.append(segment.range, of: bytes)
      }
    }
    var place = structure.scan.range.lowerBound
    for segment in structure.laterSegments {
      guard let changed = try changed(segment, in: bytes, keepsExtension: keepsExtension) else {
        continue
      }
      result.append(place..<segment.range.lowerBound, of: bytes)
      result.append(contentsOf: changed)
      place = segment.range.upperBound
    }
    result.append(place..<(structure.end ?? data.count), of: bytes)
    return result
  }

  /// What becomes of a segment; nil where it stays as it is.
  private func changed(
    _ segment: JPEGStructure.Segment, in bytes: RawSpan, keepsExtension: Bool
  ) throws(ImagingError) -> [UInt8]? {
    let content = bytes.extracting(segment.content)
    if JPEGStructure.isExif(segment, in: bytes) {
      let header = ImageMetadata.exifHeader
      let tiff = content.extracting(header.count..<content.byteCount)
      let stripped = ExifBlock.strippingLocation(
        from: tiff, size: size, room: ImageMetadata.segmentLimit - header.count)
      return stripped.isEmpty ? [] : try Self.segment(segment.marker, header + stripped)
    }
    if JPEGStructure.isXMP(segment, in: bytes) {
      let packet = content.extracting(JPEGStructure.xmpHeaderByteCount..<content.byteCount)
      let stripped = XMPPacket.strippingLocation(
        from: packet.array, keepsExtension: keepsExtension)
      guard let stripped else { return [] }
      return try Self.segment(
        segment.marker, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + stripped)
    }
    if JPEGStructure.isPictureIndex(segment, in: bytes) { return [] }
    if JPEGStructure.isPhotoshop(segment, in: bytes) {
      guard let stripped = PhotoshopResources.strippingLocation(from: content.array),
        !XMPPacket.speaksOfLocation(stripped)
      else { return [] }
      return try Self.segment(segment.marker, stripped)
    }
    switch segment.marker {
    // Colour profiles and Adobe's segment decide about colours; other markers are tables.
    case 0xE2 where JPEGStructure.isColorProfile(segment, in: bytes), 0xEE: return nil
    case 0xC0...0xDF: return nil
    default: return XMPPacket.speaksOfLocation(content) ? [] : nil
    }
  }

  /// Its parts belong together: a name may begin in one and end in the next.
  private func hasLocationInExtendedXMP(_ bytes: RawSpan) -> Bool {
    var parts: [(place: Int, content: Range<Int>)] = []
    // After the letters: what it belongs to, its length and the part's place in it.
    for segment in structure.segments where JPEGStructure.isExtendedXMP(segment, in: bytes) {
      let place = bytes.bigEndian32(at: segment.content.lowerBound + 71) ?? 0
      parts.append((place, segment.content.dropFirst(75)))
    }
    guard !parts.isEmpty else { return false }
    parts.sort { $0.place < $1.place }
    return XMPPacket.hasLocation(parts.flatMap { bytes.extracting($0.content).array })
  }
}
