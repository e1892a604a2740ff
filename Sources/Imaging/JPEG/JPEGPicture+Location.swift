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
  func strippingLocation(from data: Data) throws(ImagingError) -> Data {
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
    result.append(structure.scan.range.lowerBound..<(structure.end ?? data.count), of: bytes)
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
    let isPhotoshop = JPEGStructure.isPhotoshop(segment, in: bytes)
    if isPhotoshop, let stripped = PhotoshopResources.strippingCopies(from: content.array) {
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
    var whole = Data()
    // After the letters: what it belongs to, its length and the part's place in it.
    for segment in structure.segments where JPEGStructure.isExtendedXMP(segment, in: bytes) {
      whole.append(segment.content.dropFirst(75), of: bytes)
    }
    return XMPPacket.speaksOfLocation(whole.bytes)
  }
}
