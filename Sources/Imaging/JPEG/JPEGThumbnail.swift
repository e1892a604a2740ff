public import Foundation

/// Small pictures of JPEG pictures, and those that lie within their EXIF segment.
public enum JPEGThumbnail {
  /// The thumbnail that lies within a JPEG picture's EXIF segment, a JPEG picture itself.
  ///
  /// It is stored as the picture is: the orientation of the one is that of the other.
  ///
  /// - Parameter bytes: A JPEG picture.
  /// - Returns: nil where there is none.
  public static func embedded(in bytes: RawSpan) -> Data? {
    guard let structure = try? JPEGStructure(walking: bytes), let exif = structure.exif(in: bytes)
    else { return nil }
    let block = bytes.extracting(exif)
    guard let place = ExifBlock(block)?.thumbnailRange else { return nil }
    var thumbnail = Data()
    thumbnail.append(place, of: block)
    return thumbnail
  }

  /// The picture in small, as stored: decoded only as finely as it is needed.
  ///
  /// - Parameters:
  ///   - bytes: A whole JPEG picture.
  ///   - box: What it must fit into; a picture that fits is not made larger.
  /// - Returns: BGRA.
  /// - Throws: `.corrupt` or `.incomplete` where the picture is damaged, `.unsupported` where it is
  ///   of a kind that cannot be decoded.
  package static func pixels(
    of bytes: RawSpan, fitting box: PixelSize
  ) throws(ImagingError) -> PixelBuffer {
    let size = try JPEGStructure(headersOf: bytes).size
    return try JPEGScaler.scaled(
      bytes, ScalePlacement(whole: size, at: size.fitted(into: box)),
      ScaleOptions(quality: .fast, isLinear: false), limits: .standard)
  }

  /// A thumbnail of pixels as EXIF wants it: a JPEG picture without application segments that fits
  /// into its segment with the rest.
  ///
  /// - Parameters:
  ///   - pixels: The small picture.
  ///   - limit: The most bytes that it may have.
  /// - Returns: nil where not even the worst quality makes it small enough.
  static func jpeg(of pixels: PixelBuffer, atMost limit: Int) -> Data? {
    for quality in [0.75, 0.5, 0.25, 0.1] {
      guard let whole = try? JPEGEncoder(quality: quality).encode(pixels),
        let structure = try? JPEGStructure(walking: whole.bytes), let end = structure.end
      else { return nil }
      var bare = Data([0xFF, JPEGStructure.Marker.start])
      for segment in structure.keptSegments(in: whole.bytes) {
        bare.append(segment.range, of: whole.bytes)
      }
      bare.append(structure.scan.range.lowerBound..<end, of: whole.bytes)
      if bare.count <= limit { return bare }
    }
    return nil
  }
}
