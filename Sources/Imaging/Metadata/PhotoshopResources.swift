/// What Adobe's programs keep in an APP13 segment: numbered resources (Photoshop file format, image
/// resources).
enum PhotoshopResources {
  private static let header = Array("Photoshop 3.0\0".utf8)
  /// EXIF, twice, and XMP, which such a file has in segments of their own, too.
  private static let copies: Set<Int> = [0x0422, 0x0423, 0x0424]
  /// What Photoshop's plug-ins keep for themselves, and variables in XML.
  private static let unknown = 4000...9999
  /// Small pictures, of Photoshop 4 and of later ones.
  private static let thumbnails: Set<Int> = [0x0409, 0x040C]

  /// What says where the camera was: datasets of IPTC's second record (IPTC-NAA IIM, chapter 6) for
  /// the content's location, its code and its name, city, sublocation, state, country code and
  /// country.
  private static let places: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]
  private static let iptc = 0x0404
  /// A sum of IPTC's bytes, which no longer holds for others.
  private static let iptcDigest = 0x0425

  /// The segment without copies of EXIF and XMP, and without names of places.
  ///
  /// - Parameter content: The segment's content.
  /// - Returns: nil where it is not understood and has to go.
  static func strippingLocation(from content: [UInt8]) -> [UInt8]? {
    let all = resources(in: content)
    // A segment may go on with what another one began.
    guard content[all.end...].allSatisfy({ $0 == 0 }) else { return nil }
    let namesPlaces = all.found.contains {
      $0.number == iptc && strippingPlaces(from: content[$0.data]) != nil
    }
    var result = header
    for resource in all.found
    where !copies.contains(resource.number) && !unknown.contains(resource.number) {
      if namesPlaces, resource.number == iptcDigest { continue }
      guard resource.number == iptc, let stripped = strippingPlaces(from: content[resource.data])
      else {
        result += content[resource.range]
        continue
      }
      guard !stripped.isEmpty else { continue }
      result += content[resource.range.lowerBound..<resource.data.lowerBound - 4]
      result += (0..<4).map { UInt8(truncatingIfNeeded: stripped.count >> (24 - 8 * $0)) }
      result += stripped
      if stripped.count & 1 == 1 { result.append(0) }
    }
    return result + content[all.end...]
  }

  /// Datasets without those that name places; nil where there are none. What is no dataset goes,
  /// too.
  private static func strippingPlaces(from data: ArraySlice<UInt8>) -> [UInt8]? {
    let content = Array(data)
    let bytes = content.span.bytes
    var result: [UInt8] = []
    var place = 0
    // A mark, the record, the dataset, the bytes of its value.
    while bytes.byte(at: place) == 0x1C, let record = bytes.byte(at: place + 1),
      let number = bytes.byte(at: place + 2), var size = bytes.bigEndian16(at: place + 3)
    {
      var start = place + 5
      if size & 0x8000 != 0 {
        // A long value: the bytes of the size of its size.
        guard size == 0x8004, let long = bytes.bigEndian32(at: start) else { break }
        (size, start) = (long, start + 4)
      }
      guard start + size <= content.count else { break }
      // Records from 10 on are of programs' own.
      if record < 10, record != 2 || !places.contains(number) {
        result += content[place..<start + size]
      }
      place = start + size
    }
    let rest = content[place...]
    if rest.allSatisfy({ $0 == 0 }) { result += rest }
    return result.count == content.count ? nil : result
  }

  /// The segment without small pictures, which would show what the picture no longer does.
  ///
  /// - Parameter content: The segment's content.
  /// - Returns: The rest, and whether a small picture goes on in the next segment; nil where there
  ///   is none.
  static func strippingThumbnails(
    from content: [UInt8]
  ) -> (content: [UInt8], goesOn: Bool)? {
    let all = resources(in: content)
    let kept = all.found.filter { !thumbnails.contains($0.number) }
    let cut = all.isWhole ? nil : content.span.bytes.bigEndian16(at: all.end + 4)
    let goesOn = cut.map(thumbnails.contains) ?? false
    guard goesOn || kept.count < all.found.count else { return nil }
    let stripped = kept.reduce(into: header) { $0 += content[$1.range] }
    return (all.isWhole || goesOn ? stripped : stripped + content[all.end...], goesOn)
  }

  private struct Resource {
    var number: Int
    /// With its number and name.
    var range: Range<Int>
    var data: Range<Int>
  }

  /// The resources, whether the last one is whole, and the place after it.
  private static func resources(
    in content: [UInt8]
  ) -> (found: [Resource], isWhole: Bool, end: Int) {
    let bytes = content.span.bytes
    var found: [Resource] = []
    var place = header.count
    while bytes.holds("8BIM", at: place), let number = bytes.bigEndian16(at: place + 4),
      let nameLength = bytes.byte(at: place + 6).map(Int.init)
    {
      // A name with its length and data have an even number of bytes.
      let sizePlace = place + 6 + (nameLength + 2) / 2 * 2
      guard let size = bytes.bigEndian32(at: sizePlace) else { return (found, false, place) }
      let end = min(sizePlace + 4 + (size + 1) / 2 * 2, content.count)
      let data = sizePlace + 4..<sizePlace + 4 + size
      guard data.upperBound <= content.count else { return (found, false, place) }
      found.append(Resource(number: number, range: place..<end, data: data))
      place = end
    }
    return (found, true, place)
  }
}
