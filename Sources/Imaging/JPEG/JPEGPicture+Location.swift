import Foundation

extension JPEGPicture {
  func strippingLocation(from data: Data, limits: Image.Limits) throws(ImagingError) -> Data {
    let bytes = data.bytes
    let structure = try JPEGStructure(walking: bytes)
    let keepsExtension = !structure.extendedXMPHas(.places, in: bytes)
    var result = Data(capacity: data.count)
    result.append(contentsOf: [0xFF, JPEGStructure.Marker.start])
    for segment in structure.segments {
      if let changed = try changed(segment, in: bytes, keepsExtension: keepsExtension) {
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
    result.append(place..<max(place, structure.endOfSamples ?? data.count), of: bytes)
    if structure.end != nil { result.append(contentsOf: [0xFF, JPEGStructure.Marker.end]) }
    return result
  }

  /// What becomes of a segment; nil where it stays as it is.
  ///
  /// Of application segments those stay that decide about colours or whose content is known: nobody
  /// can tell what others say.
  private func changed(
    _ segment: JPEGStructure.Segment, in bytes: RawSpan, keepsExtension: Bool
  ) throws(ImagingError) -> [UInt8]? {
    let content = bytes.extracting(segment.content)
    switch segment.marker {
    case JPEGStructure.Marker.app0:
      return content.holds("JF", at: 0) || content.holds("AVI1", at: 0) ? nil : []
    case JPEGStructure.Marker.app1:
      return try changedApp1(segment, in: bytes, keepsExtension: keepsExtension)
    case 0xE2: return JPEGStructure.isColorProfile(segment, in: bytes) ? nil : []
    case 0xED:
      guard let stripped = PhotoshopResources.strippingLocation(from: content.array),
        !LocationWords.areIn(stripped, .text)
      else { return [] }
      return try Self.segment(segment.marker, stripped)
    case 0xEE: return content.holds("Adobe", at: 0) ? nil : []
    case 0xE0...0xEF: return []
    case 0xFE: return LocationWords.areIn(content.array, .text) ? [] : nil
    // Tables and frame headers; nothing else decodes.
    case 0xC0...0xDF: return nil
    default: return []
    }
  }

  private func changedApp1(
    _ segment: JPEGStructure.Segment, in bytes: RawSpan, keepsExtension: Bool
  ) throws(ImagingError) -> [UInt8]? {
    if JPEGStructure.isXMP(segment, in: bytes) {
      return JPEGStructure.xmpSegment(
        segment, in: bytes, without: .places, keepsExtension: keepsExtension)
    }
    if JPEGStructure.isExtendedXMP(segment, in: bytes) { return keepsExtension ? nil : [] }
    // A second EXIF segment, or one with odd letters before it, is read by some programs only.
    guard let tiff = exif(in: bytes), tiff.upperBound == segment.range.upperBound else { return [] }
    let stripped = ExifBlock.strippingLocation(
      from: bytes.extracting(tiff), size: size, room: ImageMetadata.segmentRoom)
    return stripped.isEmpty
      ? [] : try Self.segment(segment.marker, ImageMetadata.exifHeader + stripped)
  }
}
