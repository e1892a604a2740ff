public import Foundation

/// Turns and mirrors the pixels of JPEG pictures.
public enum JPEGTransform {
  /// What to do with a picture that does not consist of whole blocks of samples.
  public enum OddEdges: Hashable, Sendable {
    /// Decode it and encode it again at a high quality: nothing is cut off.
    case encodeAnew
    /// Cut the odd blocks off, up to 15 rows or columns at an edge: nothing is encoded again.
    case trim
    /// Refuse with `.unsupported`.
    case refuse
  }

  /// How a picture was turned.
  public enum Outcome: Hashable, Sendable {
    /// Blocks of samples were moved, and nothing is lost.
    case lossless
    /// Blocks were moved, and the odd ones at an edge cut off.
    case trimmed
    /// The picture was decoded and encoded again.
    case reencoded
  }

  /// Makes a picture upright whose pixels need an orientation to be shown so.
  ///
  /// Blocks of samples are moved without decoding where the picture consists of whole ones. Otherwise the
  /// picture is decoded and encoded again at a high quality: leaving the odd blocks where they were would
  /// leave a strip at the wrong edge, cutting them off would lose pixels.
  ///
  /// - Parameters:
  ///   - jpeg: A whole JPEG picture. What its own EXIF says of the orientation is not asked.
  ///   - orientation: The orientation that the stored pixels need.
  /// - Returns: The picture with one EXIF segment, which says `.up` and keeps the other tags but for the
  ///   embedded thumbnail; and whether the samples were only moved.
  /// - Throws: `.corrupt` or `.incomplete` where the picture is damaged, `.unsupported` where it is of a kind
  ///   that cannot be decoded.
  public static func oriented(
    _ jpeg: Data, by orientation: ImageOrientation
  ) throws(ImagingError) -> (data: Data, isLossless: Bool) {
    let (data, outcome) = try oriented(jpeg, by: orientation, oddEdges: .encodeAnew)
    return (data, outcome == .lossless)
  }

  /// Makes a picture upright, with a choice for those that do not consist of whole blocks.
  ///
  /// - Parameters:
  ///   - jpeg: A whole JPEG picture. What its own EXIF says of the orientation is not asked.
  ///   - orientation: The orientation that the stored pixels need.
  ///   - oddEdges: What to do where whole blocks do not make up the picture's sides.
  /// - Returns: The picture with one EXIF segment, as `oriented(_:by:)` makes it, and how it was turned.
  /// - Throws: As `oriented(_:by:)`; and `.unsupported` where that was asked for.
  public static func oriented(
    _ jpeg: Data, by orientation: ImageOrientation, oddEdges: OddEdges
  ) throws(ImagingError) -> (data: Data, outcome: Outcome) {
    let outer = try JPEGStructure(walking: jpeg.bytes)
    guard orientation != .up else {
      let metadata = ImageMetadata()
      return (try JPEGPassthrough.photo(from: jpeg.bytes, metadata: metadata), .lossless)
    }
    guard let end = outer.end else {
      throw ImagingError(.incomplete, "The JPEG's end marker is missing.")
    }
    // From here on without what lies before and after the picture; places count from its start.
    let picture = jpeg.bytes.extracting(outer.start..<end)
    let structure = try JPEGStructure(walking: picture)
    if let turned = try moved(picture, structure, orientation, trims: false) {
      return (turned, .lossless)
    }
    switch oddEdges {
    case .encodeAnew: return (try reencoded(picture, structure, orientation), .reencoded)
    case .trim:
      if let turned = try moved(picture, structure, orientation, trims: true) {
        return (turned, .trimmed)
      }
      throw ImagingError(
        .unsupported, "A JPEG of \(structure.size) pixels is too small to be turned without loss.")
    case .refuse:
      throw ImagingError(
        .unsupported,
        "A JPEG of \(structure.size) pixels cannot be turned without loss: its sides are no whole "
          + "blocks of samples.")
    }
  }

  /// The picture with its blocks moved; nil where that cannot be done.
  private static func moved(
    _ picture: RawSpan, _ structure: JPEGStructure, _ orientation: ImageOrientation, trims: Bool
  ) throws(ImagingError) -> Data? {
    guard
      let turned = TurboJPEGBridge.transform(picture, undoing: orientation, trims: trims),
      let result = try? JPEGStructure(walking: turned.bytes), result.end != nil
    else { return nil }
    let whole = structure.size.shown(by: orientation)
    let isRight =
      trims
      ? (whole.width - 15...whole.width).contains(result.width)
        && (whole.height - 15...whole.height).contains(result.height)
      : result.size == whole
    guard isRight else { return nil }
    return try JPEGPassthrough.rewriting(turned.bytes, ImageMetadata(), keepsThumbnail: false)
  }

  /// The quality of a picture that had to be encoded again: what is lost is not seen.
  private static let quality = 0.95

  private static func reencoded(
    _ picture: RawSpan, _ structure: JPEGStructure, _ orientation: ImageOrientation
  ) throws(ImagingError) -> Data {
    let pixels = try JPEGDecoder.pixels(of: picture, structure)
    let upright = try LibYUVBridge.oriented(pixels, by: orientation)
    let encoded = try JPEGEncoder(quality: quality).encode(upright)
    return try transplanting(picture, structure, into: encoded)
  }

  /// Gives a newly encoded picture the segments of the old one that speak of no samples.
  private static func transplanting(
    _ old: RawSpan, _ oldStructure: JPEGStructure, into new: Data
  ) throws(ImagingError) -> Data {
    let structure = try JPEGStructure(walking: new.bytes)
    let exif = JPEGPassthrough.exifSegment(
      oldStructure, in: old, ImageMetadata(), structure.size, keepsThumbnail: false)
    var result = Data()
    result.reserveCapacity(new.count + oldStructure.scan.range.lowerBound + exif.count)
    result.append(contentsOf: JPEGPassthrough.startAndHeader(ofExif: exif))
    result.append(contentsOf: exif)
    for segment in oldStructure.segments where oldStructure.isAboutNoSamples(segment, old) {
      result.append(segment.range, of: old)
    }
    for segment in structure.keptSegments(in: new.bytes) {
      result.append(segment.range, of: new.bytes)
    }
    result.append(structure.scan.range.lowerBound..<new.count, of: new.bytes)
    return result
  }
}

extension JPEGStructure {
  var size: PixelSize { PixelSize(width: width, height: height) }

  /// Application segments and comments that hold for newly encoded samples too.
  fileprivate func isAboutNoSamples(_ segment: Segment, _ bytes: RawSpan) -> Bool {
    switch segment.marker {
    case 0xFE, 0xE3...0xED, 0xEF: true
    case Marker.app1: !Self.isExif(segment, in: bytes)
    // A profile of CMYK inks is none for the RGB that such a picture was decoded to; other content of APP2
    // is offsets to further pictures, which would no longer hit.
    case 0xE2: components.count < 4 && bytes.holds("ICC_PROFILE\0", at: segment.content.lowerBound)
    default: false
    }
  }
}

extension PixelSize {
  /// The size that a picture stored in this one has when it is shown.
  func shown(by orientation: ImageOrientation) -> PixelSize {
    orientation.swapsSides ? PixelSize(width: height, height: width) : self
  }
}
