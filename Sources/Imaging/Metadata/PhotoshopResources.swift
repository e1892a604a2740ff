/// What Adobe's programs keep in an APP13 segment: numbered resources (Photoshop file format, image resources).
enum PhotoshopResources {
  private static let header = Array("Photoshop 3.0\0".utf8)
  /// EXIF, twice, and XMP, which such a file has in segments of their own, too.
  private static let copies: Set<Int> = [0x0422, 0x0423, 0x0424]

  /// The segment without copies of EXIF and XMP.
  ///
  /// - Parameter content: The segment's content.
  /// - Returns: nil where it has none, or is not understood.
  static func strippingCopies(from content: [UInt8]) -> [UInt8]? {
    let bytes = content.span.bytes
    var result = header
    var place = header.count
    var hasCopies = false
    while bytes.holds("8BIM", at: place), let number = bytes.bigEndian16(at: place + 4),
      let nameLength = bytes.byte(at: place + 6).map(Int.init)
    {
      // A name with its length and data have an even number of bytes.
      let sizePlace = place + 6 + (nameLength + 2) / 2 * 2
      guard let size = bytes.bigEndian32(at: sizePlace) else { return nil }
      let end = min(sizePlace + 4 + (size + 1) / 2 * 2, content.count)
      guard sizePlace + 4 + size <= content.count else { return nil }
      if copies.contains(number) {
        hasCopies = true
      } else {
        result += content[place..<end]
      }
      place = end
    }
    return hasCopies ? result : nil
  }
}
