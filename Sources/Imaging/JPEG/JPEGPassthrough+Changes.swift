public import Foundation

extension JPEGPassthrough {
  /// What becomes of what a picture says of itself.
  public enum MetadataChange: Hashable, Sendable {
    /// What is there stays, but for the tags that are named here; the orientation is always
    /// written.
    case merging(ImageMetadata)
    /// Nothing stays of EXIF, XMP, IPTC and comments; this is said instead.
    case replacing(ImageMetadata)
    /// Nothing stays and nothing is said but the orientation, where the picture has one.
    case stripping(ImageOrientation)

    var orientation: ImageOrientation {
      switch self {
      case .merging(let metadata), .replacing(let metadata): metadata.orientation
      case .stripping(let orientation): orientation
      }
    }
  }

  /// What becomes of the small picture within the EXIF segment.
  public enum ThumbnailChange: Sendable {
    /// It stays, where the segment has room for it beside new metadata.
    case keeping
    /// It goes.
    case removing
    /// It becomes this one, which must be stored as the picture is. One that is too large for the
    /// segment is encoded worse, and left out where that does not help.
    case replacing(PixelBuffer)
  }

  /// Changes what a picture says of itself, and nothing of what it shows.
  ///
  /// - Parameters:
  ///   - jpeg: A whole JPEG picture.
  ///   - metadata: What becomes of its metadata.
  ///   - thumbnail: What becomes of its thumbnail.
  /// - Returns: The picture; its samples' data is byte for byte what it was, and colour profiles
  ///   stay.
  /// - Throws: `.corrupt` where the bytes are no JPEG, `.incomplete` where the end marker is
  ///   missing, `.tooLarge` where the metadata has no room in a segment, `.invalidMetadata` where
  ///   EXIF cannot say it.
  public static func changing(
    _ jpeg: RawSpan, metadata: MetadataChange, thumbnail: ThumbnailChange = .keeping
  ) throws(ImagingError) -> Data {
    let structure = try JPEGStructure(walking: jpeg)
    guard let end = structure.end else {
      throw ImagingError(.incomplete, "The JPEG's end marker is missing.")
    }
    let old = structure.exif(in: jpeg).flatMap { ExifBlock(jpeg.extracting($0)) }
    let exif = try ImageMetadata.exif(metadata, thumbnail, replacing: old, size: structure.size)
    var keepsAll = false
    if case .merging = metadata { keepsAll = true }
    return assembled(
      jpeg, structure, before: keepsAll ? end : structure.endOfSamples ?? end, exif: exif,
      tables: HuffmanTables.segment(defining: structure.missingHuffmanTables(in: jpeg)),
      orientation: metadata.orientation, leavingOut: keepsAll ? [] : structure.laterSegments
    ) { keepsAll || !structure.isAboutThePicture($0, in: jpeg) }
  }

  /// Whether all samples can be decoded and make sense: costs as much as decoding the picture.
  ///
  /// Damage within a scan without restart markers shows in no other way.
  public static func isSound(_ jpeg: RawSpan) -> Bool {
    guard let structure = try? JPEGStructure(walking: jpeg), let end = structure.end else {
      return false
    }
    return isDecodable(jpeg.extracting(structure.start..<end), structure)
  }

  /// The stored size that a picture's header tells; nil where it has none.
  package static func size(of jpeg: RawSpan) -> PixelSize? {
    (try? JPEGStructure(headersOf: jpeg))?.size
  }
}

extension JPEGStructure {
  /// Whether a segment speaks of the picture and not of its samples: application segments but for
  /// colour profiles and Adobe's, which says how colours are coded; comments.
  fileprivate func isAboutThePicture(_ segment: Segment, in bytes: RawSpan) -> Bool {
    switch segment.marker {
    case 0xE2: !bytes.holds("ICC_PROFILE\0", at: segment.content.lowerBound)
    case 0xE1, 0xE3...0xED, 0xEF, 0xFE: true
    default: false
    }
  }
}
