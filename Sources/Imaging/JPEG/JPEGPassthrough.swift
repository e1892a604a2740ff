public import Foundation

/// Makes a photo of the JPEG picture that a camera sent, without decoding it.
///
/// The samples' data stays byte for byte the camera's; only what stands before it changes.
public enum JPEGPassthrough {
  /// Makes a file that any program reads of a camera's frame.
  ///
  /// Missing Huffman tables are inserted, JFIF's and the cameras' `AVI1` segments go, one EXIF
  /// segment comes directly after the start marker, and nothing is left after the end marker. Where
  /// the camera sent an EXIF segment its tags stay and only those change that `metadata` names.
  /// Colour profiles, comments and other segments stay.
  ///
  /// - Parameters:
  ///   - bytes: The frame; bytes before its start and after its end do no harm.
  ///   - metadata: What the EXIF segment shall say; its orientation is always written.
  /// - Returns: A whole JPEG picture.
  /// - Throws: `.corrupt` where the bytes are no JPEG, or its restart markers are not what they
  ///   should be and decoding finds damage; `.incomplete` where the end marker is missing, see
  ///   `completing(_:)`; `.tooLarge` where the metadata has no room in a segment,
  ///   `.invalidMetadata` where EXIF cannot say it.
  public static func photo(
    from bytes: RawSpan, metadata: ImageMetadata
  ) throws(ImagingError) -> Data {
    let structure = try JPEGStructure(walking: bytes)
    guard let end = structure.end else {
      throw ImagingError(.incomplete, "The JPEG's end marker is missing.")
    }
    let picture = bytes.extracting(structure.start..<end)
    guard structure.hasAllRestarts || isDecodable(picture, structure) else {
      throw ImagingError(.corrupt, "The JPEG is damaged: a part of its pixels is missing.")
    }
    let cameras = structure.exif(in: bytes).flatMap { ExifBlock(bytes.extracting($0)) }
    let exif = try metadata.exif(changing: cameras, size: structure.size)
    let tables = HuffmanTables.segment(defining: structure.missingHuffmanTables(in: bytes))
    return assembled(
      bytes, structure, before: end, exif: exif, tables: tables,
      orientation: metadata.orientation
    ) { _ in true }
  }

  /// Whether the bytes begin, scan and end as a JPEG picture does, and no scan data is missing at
  /// the end.
  ///
  /// Looks at markers only: for damage within the scan the picture has to be decoded.
  public static func isWhole(_ bytes: RawSpan) -> Bool {
    (try? JPEGStructure(walking: bytes))?.end != nil
  }

  /// Gives a frame the Huffman tables that it lacks; nothing else of it changes.
  ///
  /// - Parameter bytes: A frame.
  /// - Returns: The frame with its tables; nil where none are missing.
  /// - Throws: `.corrupt` where the bytes are no JPEG, `.incomplete` where they stop before the
  ///   first scan.
  package static func insertingTables(into bytes: RawSpan) throws(ImagingError) -> Data? {
    let structure = try JPEGStructure(headersOf: bytes)
    let tables = HuffmanTables.segment(defining: structure.missingHuffmanTables(in: bytes))
    guard !tables.isEmpty else { return nil }
    let scan = structure.scan.range.lowerBound
    var picture = Data()
    picture.reserveCapacity(bytes.byteCount + tables.count)
    picture.append(0..<scan, of: bytes)
    picture.append(contentsOf: tables)
    picture.append(scan..<bytes.byteCount, of: bytes)
    return picture
  }

  /// Gives a frame its missing end marker if all its pixels are there.
  ///
  /// Some cameras leave the marker out, or the last bytes are lost on the bus: such a frame is as
  /// good as any. Whether one is can only be told by decoding it.
  ///
  /// - Parameter bytes: A frame with or without an end marker.
  /// - Returns: The picture from its start marker to its end marker.
  /// - Throws: `.corrupt` where the bytes are no JPEG, `.incomplete` where pixels are missing.
  public static func completing(_ bytes: RawSpan) throws(ImagingError) -> Data {
    let structure = try JPEGStructure(walking: bytes)
    var picture = Data()
    if let end = structure.end {
      picture.append(structure.start..<end, of: bytes)
      return picture
    }
    // Buffers are often filled up with zeros; a coder seldom ends with one, so try without them
    // first.
    let limit = structure.endOfSamples ?? bytes.byteCount
    var last = limit
    while last > structure.scan.range.upperBound, bytes.byte(at: last - 1) == 0 { last -= 1 }
    for end in last == limit ? [last] : [last, limit] {
      let candidate = bytes.extracting(structure.start..<end)
      let report = try? LibJPEGBridge.check(candidate, structure.size)
      guard let report, !report.isDamaged else { continue }
      picture.reserveCapacity(candidate.byteCount + 2)
      picture.append(0..<candidate.byteCount, of: candidate)
      picture.append(contentsOf: [0xFF, JPEGStructure.Marker.end])
      return picture
    }
    throw ImagingError(.incomplete, "The JPEG's end is missing, and pixels with it.")
  }

  /// Puts a picture together anew: start, EXIF or JFIF, the old segments that stay, missing tables,
  /// scans without unwanted segments between them, up to a place; where that is not behind the end
  /// marker, one is written. EXIF is a TIFF structure, or empty for none; XMP that stays and says
  /// an orientation says this one.
  static func assembled(
    _ bytes: RawSpan, _ structure: JPEGStructure, before end: Int, exif: [UInt8], tables: [UInt8],
    orientation: ImageOrientation, leavingOut unwanted: [JPEGStructure.Segment] = [],
    where stays: (JPEGStructure.Segment) -> Bool
  ) -> Data {
    let kept = structure.keptRanges(in: bytes, where: stays)
    var head: [UInt8] = []
    head.reserveCapacity(exif.count + 20 + tables.count + kept.reduce(0) { $0 + $1.count })
    if exif.isEmpty {
      // JFIF's segment would make luma and chroma of samples that are colours by their names alone.
      head += structure.isRGBByName ? [0xFF, JPEGStructure.Marker.start] : jfif
    } else {
      append(exif: exif, to: &head)
    }
    for range in kept { head.append(range, of: bytes) }
    head += tables
    var photo = Data()
    photo.reserveCapacity(head.count + end - structure.scan.range.lowerBound + 2)
    photo.append(contentsOf: head)
    var place = structure.scan.range.lowerBound
    for segment in unwanted {
      photo.append(place..<segment.range.lowerBound, of: bytes)
      place = segment.range.upperBound
    }
    photo.append(place..<max(place, end), of: bytes)
    if end != structure.end { photo.append(contentsOf: [0xFF, JPEGStructure.Marker.end]) }
    if structure.segments.contains(where: { JPEGStructure.isXMP($0, in: bytes) && stays($0) }),
      let changed = try? JPEGStructure(headersOf: photo.bytes)
    {
      changed.setOrientationInXMP(of: &photo, to: orientation)
    }
    return photo
  }

  /// The start marker and the segment that a picture without EXIF has.
  private static let jfif: [UInt8] =
    [0xFF, JPEGStructure.Marker.start, 0xFF, JPEGStructure.Marker.app0, 0, 16]
    + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]

  static func isDecodable(_ picture: RawSpan, _ structure: JPEGStructure) -> Bool {
    let report = try? LibJPEGBridge.check(picture, structure.size)
    return report.map { !$0.isDamaged } ?? false
  }

  /// The start marker and a segment with a TIFF structure that has room in it.
  static func append(exif: [UInt8], to head: inout [UInt8]) {
    let length = ImageMetadata.exifHeader.count + exif.count + 2
    head += [0xFF, JPEGStructure.Marker.start, 0xFF, JPEGStructure.Marker.app1]
    head.append(UInt8(truncatingIfNeeded: length >> 8))
    head.append(UInt8(truncatingIfNeeded: length))
    head += ImageMetadata.exifHeader
    head += exif
  }
}

extension JPEGStructure {
  /// The segments that a photo keeps.
  func keptSegments(
    in bytes: RawSpan, where stays: (Segment) -> Bool = { _ in true }
  ) -> [Segment] {
    segments.filter { isKept($0, in: bytes) && stays($0) }
  }

  /// Where they lie; those that follow each other are one range.
  func keptRanges(in bytes: RawSpan, where stays: (Segment) -> Bool) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for segment in segments where isKept(segment, in: bytes) && stays(segment) {
      if let last = ranges.last, last.upperBound == segment.range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<segment.range.upperBound
      } else {
        ranges.append(segment.range)
      }
    }
    return ranges
  }

  /// Whether a decoder that finds neither JFIF nor Adobe's segment takes the samples for red, green
  /// and blue, since the components are called so.
  var isRGBByName: Bool { components.map(\.identifier) == Array("RGB".utf8) }

  private func isKept(_ segment: Segment, in bytes: RawSpan) -> Bool {
    switch segment.marker {
    case Marker.app0:
      // JFIF and Exif both ask for the place after the start marker.
      return isRGBByName
    case Marker.app1: return !Self.isExif(segment, in: bytes)
    default: return true
    }
  }
}
