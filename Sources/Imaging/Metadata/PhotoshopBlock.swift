import Foundation

/// Photoshop's own segment (APP13), which holds IPTC, and may hold a small picture.
enum PhotoshopBlock {
  /// Copies a segment, the small pictures in it left out: they would show what the picture no longer does.
  ///
  /// - Parameters:
  ///   - range: The segment with its marker.
  ///   - jpeg: The picture that it is of.
  ///   - data: Where it is copied to; other segments are copied as they are.
  static func append(_ range: Range<Int>, of jpeg: RawSpan, to data: inout Data) {
    let start = data.count
    data.append(range, of: jpeg)
    let header: StaticString = "Photoshop 3.0\0"
    guard jpeg.byte(at: range.lowerBound + 1) == 0xED, jpeg.holds(header, at: range.lowerBound + 4)
    else { return }
    let old = jpeg.extracting(range)
    var kept = Data()
    kept.append(0..<4 + header.utf8CodeUnitCount, of: old)
    var place = kept.count
    while let resource = resource(at: place, in: old) {
      if !thumbnails.contains(resource.identifier) { kept.append(resource.range, of: old) }
      place = resource.range.upperBound
    }
    // What cannot be read any further stays as it is.
    kept.append(place..<old.byteCount, of: old)
    let length = kept.count - 2
    kept[2] = UInt8(length >> 8)
    kept[3] = UInt8(length & 255)
    data.replaceSubrange(start..., with: kept)
  }

  /// Of Photoshop 4 and of later ones.
  private static let thumbnails = [1033, 1036]

  /// One resource: its kind, its number, a name, a length and as many bytes, all filled up to even places.
  private static func resource(
    at place: Int, in bytes: RawSpan
  ) -> (identifier: Int, range: Range<Int>)? {
    guard bytes.holds("8BIM", at: place), let identifier = bytes.bigEndian16(at: place + 4),
      let nameLength = bytes.byte(at: place + 6)
    else { return nil }
    let size = place + 6 + (Int(nameLength) + 2) / 2 * 2
    guard let high = bytes.bigEndian16(at: size), let low = bytes.bigEndian16(at: size + 2) else {
      return nil
    }
    let count = high << 16 | low
    let end = size + 4 + count
    guard end <= bytes.byteCount else { return nil }
    return (identifier, place..<min(end + count % 2, bytes.byteCount))
  }
}
