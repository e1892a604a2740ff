/// What Adobe's programs keep in an APP13 segment: numbered resources (Photoshop file format, image resources).
enum PhotoshopResources {
  private static let header = Array("Photoshop 3.0\0".utf8)
  /// EXIF, twice, and XMP, which such a file has in segments of their own, too.
  private static let copies: Set<Int> = [0x0422, 0x0423, 0x0424]
  /// Small pictures, of Photoshop 4 and of later ones.
  private static let thumbnails: Set<Int> = [0x0409, 0x040C]

  /// The segment without copies of EXIF and XMP.
  ///
  /// - Parameter content: The segment's content.
  /// - Returns: nil where it has none, or is not understood.
  static func strippingCopies(from content: [UInt8]) -> [UInt8]? {
    stripping(copies, from: content)
  }

  /// The segment without small pictures, which would show what the picture no longer does.
  ///
  /// - Parameter content: The segment's content.
  /// - Returns: nil where it has none, or is not understood.
  static func strippingThumbnails(from content: [UInt8]) -> [UInt8]? {
    stripping(thumbnails, from: content)
  }

  private static func stripping(_ unwanted: Set<Int>, from content: [UInt8]) -> [UInt8]? {
    let bytes = content.span.bytes
    var result = header
    var place = header.count
    var isChanged = false
    while bytes.holds("8BIM", at: place), let number = bytes.bigEndian16(at: place + 4),
      let nameLength = bytes.byte(at: place + 6).map(Int.init)
    {
      // A name with its length and data have an even number of bytes.
      let sizePlace = place + 6 + (nameLength + 2) / 2 * 2
      guard let size = bytes.bigEndian32(at: sizePlace) else { return nil }
      let end = min(sizePlace + 4 + (size + 1) / 2 * 2, content.count)
      guard sizePlace + 4 + size <= content.count else { return nil }
      if unwanted.contains(number) {
        isChanged = true
      } else {
        result += content[place..<end]
      }
      place = end
    }
    return isChanged ? result : nil
  }
}
