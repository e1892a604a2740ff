import Foundation

extension JPEGPicture {
  func exif(in bytes: RawSpan) -> Range<Int>? { structure.exif(in: bytes) }

  func replacingExif(in data: Data, with tiff: [UInt8]) throws(ImagingError) -> Data {
    guard tiff.count + ImageMetadata.exifHeader.count <= ImageMetadata.segmentLimit else {
      throw ImagingError(.tooLarge, "The JPEG's EXIF segment has no room for that.")
    }
    let old = exif(in: data.bytes)
    if let old, old.count == tiff.count {
      var result = data
      result.overwrite(at: old.lowerBound, with: tiff)
      setOrientationInXMP(of: &result, to: ExifBlock(tiff.span.bytes)?.orientation)
      return result
    }
    let segment = tiff.isEmpty ? [] : try Self.segment(0xE1, ImageMetadata.exifHeader + tiff)
    let place = old.map { $0.lowerBound - 10..<$0.upperBound } ?? placeOfNewSegment(in: data.bytes)
    var result = Data(capacity: data.count + segment.count)
    result.append(0..<place.lowerBound, of: data.bytes)
    result.append(contentsOf: segment)
    result.append(place.upperBound..<data.count, of: data.bytes)
    if let changed = try? JPEGStructure(headersOf: result.bytes) {
      JPEGPicture(structure: changed).setOrientationInXMP(
        of: &result, to: ExifBlock(tiff.span.bytes)?.orientation)
    }
    return result
  }

  /// After the start marker, or the JFIF segment there.
  private func placeOfNewSegment(in bytes: RawSpan) -> Range<Int> {
    let place = structure.start + 2
    guard let first = structure.segments.first, first.marker == JPEGStructure.Marker.app0,
      first.range.lowerBound == place, bytes.holds("JFIF\0", at: first.content.lowerBound)
    else { return place..<place }
    return first.range.upperBound..<first.range.upperBound
  }

  /// Marker, length and content.
  ///
  /// - Throws: `.tooLarge` where the length's two bytes do not hold it.
  static func segment(_ marker: UInt8, _ content: [UInt8]) throws(ImagingError) -> [UInt8] {
    guard content.count <= ImageMetadata.segmentLimit else {
      throw ImagingError(.tooLarge, "A JPEG segment has no room for \(content.count) bytes.")
    }
    let length = content.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
  }

  /// XMP that names an orientation too must not contradict.
  private func setOrientationInXMP(of data: inout Data, to orientation: ImageOrientation?) {
    guard let orientation else { return }
    for segment in structure.segments where JPEGStructure.isXMP(segment, in: data.bytes) {
      let content = segment.content.dropFirst(JPEGStructure.xmpHeaderByteCount)
      guard let place = XMPPacket.placeOfOrientation(in: data.bytes.extracting(content)) else {
        continue
      }
      data.overwrite(
        at: content.lowerBound + place, with: [0x30 + UInt8(orientation.rawValue)])
    }
  }

  func strippingMetadata(
    from data: Data, keeping orientation: ImageOrientation
  ) throws(ImagingError) -> Data {
    try JPEGPassthrough.changing(
      data.bytes, metadata: .stripping(orientation), thumbnail: .removing)
  }
}

extension Data {
  /// Puts bytes in the place of others.
  mutating func overwrite(at place: Int, with bytes: [UInt8]) {
    let start = startIndex + place
    replaceSubrange(start..<start + bytes.count, with: bytes)
  }
}
