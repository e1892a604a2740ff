import Foundation

extension JPEGPicture {
  func exif(in bytes: RawSpan) -> Range<Int>? { structure.exif(in: bytes) }

  func replacingExif(in data: Data, with tiff: [UInt8]) throws(ImagingError) -> Data {
    guard tiff.count <= ImageMetadata.segmentRoom else {
      throw ImagingError(
        .tooLarge,
        "The JPEG's EXIF segment has no room for \(tiff.count) bytes, only for "
          + "\(ImageMetadata.segmentRoom).")
    }
    let old = exif(in: data.bytes)
    // To be read takes long, and without XMP nobody needs it.
    let orientation =
      tiff.isEmpty || !structure.hasXMP(in: data.bytes)
      ? nil : ImageMetadata(readingTIFF: tiff.span.bytes).orientation
    if let old, old.count == tiff.count {
      var result = data
      result.overwrite(at: old.lowerBound, with: tiff)
      if let orientation { structure.setOrientationInXMP(of: &result, to: orientation) }
      return result
    }
    let segment = tiff.isEmpty ? [] : try Self.segment(0xE1, ImageMetadata.exifHeader + tiff)
    let place = old.map { $0.lowerBound - 10..<$0.upperBound } ?? placeOfNewSegment(in: data.bytes)
    var result = Data(capacity: data.count + segment.count)
    result.append(0..<place.lowerBound, of: data.bytes)
    result.append(contentsOf: segment)
    // The next EXIF segment would be the first one, and count.
    var rest = place.upperBound
    let others = structure.segments.filter {
      tiff.isEmpty && JPEGStructure.isExif($0, in: data.bytes) && $0.range.lowerBound >= rest
    }
    for other in others {
      result.append(rest..<other.range.lowerBound, of: data.bytes)
      rest = other.range.upperBound
    }
    result.append(rest..<data.count, of: data.bytes)
    if let orientation, let changed = try? JPEGStructure(headersOf: result.bytes) {
      changed.setOrientationInXMP(of: &result, to: orientation)
    }
    return result
  }

  func removingPosition(from data: Data, limits: Image.Limits) -> Data {
    structure.without(.position, in: data)
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

  func strippingMetadata(
    from data: Data, keeping orientation: ImageOrientation
  ) throws(ImagingError) -> Data {
    try JPEGPassthrough.changing(
      data.bytes, metadata: .stripping(orientation), thumbnail: .removing)
  }
}
