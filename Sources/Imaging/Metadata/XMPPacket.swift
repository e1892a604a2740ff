/// An XMP packet, changed without moving anything in it: what goes becomes blanks (ISO 16684-1).
enum XMPPacket {
  /// Names of places (IPTC Photo Metadata), beside the names that begin with `GPS`.
  private static let placeNames: Set<String> = [
    "City", "State", "Country", "CountryCode", "Location", "LocationCreated", "LocationShown",
  ]

  /// Whether bytes speak of a position, in letters.
  static func speaksOfLocation(_ bytes: RawSpan) -> Bool {
    bytes.contains("GPS") || bytes.contains("gps") || bytes.contains("atitude")
  }

  static func speaksOfLocation(_ bytes: [UInt8]) -> Bool {
    let span = bytes.span
    return speaksOfLocation(span.bytes)
  }

  /// The packet without the properties that say where the camera was.
  ///
  /// - Parameters:
  ///   - packet: UTF-8, as XMP in picture files is.
  ///   - keepsExtension: Whether the packet's continuation stays; otherwise what names it goes, too.
  /// - Returns: As many bytes; nil where the packet is not understood and has to go.
  static func strippingLocation(from packet: [UInt8], keepsExtension: Bool = true) -> [UInt8]? {
    var scanner = Scanner(bytes: packet) { name in
      name.hasPrefix("GPS") || placeNames.contains(name)
        || !keepsExtension && name == "HasExtendedXMP"
    }
    guard scanner.run() else {
      return speaksOfLocation(packet) || namesPlace(packet) || packet.contains(0) ? nil : packet
    }
    // Zeros within: UTF-16, in which no name was found.
    let isClean = !speaksOfLocation(scanner.bytes) && !scanner.bytes.contains(0)
    return isClean ? scanner.bytes : nil
  }

  /// Whether a packet has properties that say where the camera was, or is not understood.
  static func hasLocation(_ packet: [UInt8]) -> Bool { strippingLocation(from: packet) != packet }

  /// Whether a property's name with the colon before it is one of a place.
  private static func namesPlace(_ packet: [UInt8]) -> Bool {
    packet.split(separator: 0x3A).dropFirst().contains { rest in
      let name = rest.prefix { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
      return placeNames.contains(String(decoding: name, as: UTF8.self))
    }
  }

  /// The place of the digit that is the orientation.
  static func placeOfOrientation(in packet: RawSpan) -> Int? {
    guard let name = packet.place(of: "tiff:Orientation") else { return nil }
    var place = name + 16
    while let byte = packet.byte(at: place), [0x20, 0x3D, 0x22, 0x27, 0x3E].contains(byte) {
      place += 1
    }
    guard let digit = packet.byte(at: place), (0x31...0x38).contains(digit),
      packet.byte(at: place + 1).map({ [0x22, 0x27, 0x3C].contains($0) }) == true
    else { return nil }
    return place
  }
}

/// Walks through tags and attributes, and puts blanks over those that it is asked to.
private struct Scanner {
  var bytes: [UInt8]
  let isUnwanted: (_ localName: String) -> Bool
  private var place = 0

  init(bytes: [UInt8], isUnwanted: @escaping (String) -> Bool) {
    self.bytes = bytes
    self.isUnwanted = isUnwanted
  }

  /// False where tags are not closed.
  mutating func run() -> Bool {
    while let start = next(0x3C, from: place) {
      if has("<!--", at: start) {
        guard let end = end(of: "-->", from: start) else { return false }
        place = end
      } else if has("<?", at: start) || has("<!", at: start) || has("</", at: start) {
        guard let end = next(0x3E, from: start) else { return false }
        place = end + 1
      } else {
        guard let end = tag(from: start) else { return false }
        place = end
      }
    }
    return true
  }

  /// Handles a tag that opens an element; gives the place to go on at.
  private mutating func tag(from start: Int) -> Int? {
    let name = name(from: start + 1)
    guard !name.isEmpty, let end = endOfTag(from: start) else { return nil }
    guard isUnwanted(localName(name)) else {
      blankAttributes(in: start + 1 + name.count..<end)
      return end
    }
    if bytes[end - 2] == 0x2F {
      blank(start..<end)
      return end
    }
    guard let last = endOfElement(name, from: end) else { return nil }
    blank(start..<last)
    return last
  }

  /// The place after an element's closing tag; elements of its own name within are counted.
  private func endOfElement(_ name: [UInt8], from start: Int) -> Int? {
    var depth = 1
    var place = start
    while let open = next(0x3C, from: place) {
      let isClosing = open + 1 < bytes.count && bytes[open + 1] == 0x2F
      guard let end = endOfTag(from: open) else { return nil }
      if self.name(from: open + (isClosing ? 2 : 1)) == name {
        if isClosing { depth -= 1 } else if bytes[end - 2] != 0x2F { depth += 1 }
        if depth == 0 { return end }
      }
      place = end
    }
    return nil
  }

  /// The place after the `>` that is in no attribute's value.
  private func endOfTag(from start: Int) -> Int? {
    var quote: UInt8?
    for place in start..<bytes.count {
      let byte = bytes[place]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == 0x22 || byte == 0x27 {
        quote = byte
      } else if byte == 0x3E {
        return place + 1
      }
    }
    return nil
  }

  private mutating func blankAttributes(in range: Range<Int>) {
    var place = range.lowerBound
    while place < range.upperBound {
      let name = name(from: place)
      guard !name.isEmpty else {
        place += 1
        continue
      }
      guard
        let open = bytes[place..<range.upperBound].firstIndex(where: { $0 == 0x22 || $0 == 0x27 }),
        let close = bytes[(open + 1)..<range.upperBound].firstIndex(of: bytes[open])
      else { return }
      if isUnwanted(localName(name)) { blank(place..<close + 1) }
      place = close + 1
    }
  }

  private mutating func blank(_ range: Range<Int>) {
    for place in range { bytes[place] = 0x20 }
  }

  /// Letters up to a blank or a sign that ends a name.
  private func name(from start: Int) -> [UInt8] {
    guard start < bytes.count else { return [] }
    return Array(
      bytes[start...].prefix { $0 > 0x20 && ![0x2F, 0x3C, 0x3D, 0x3E, 0x22, 0x27].contains($0) })
  }

  private func localName(_ name: [UInt8]) -> String {
    String(decoding: name.split(separator: 0x3A).last ?? [], as: UTF8.self)
  }

  private func next(_ byte: UInt8, from start: Int) -> Int? {
    start < bytes.count ? bytes[start...].firstIndex(of: byte) : nil
  }

  private func has(_ text: StaticString, at place: Int) -> Bool {
    bytes.span.bytes.holds(text, at: place)
  }

  private func end(of text: StaticString, from start: Int) -> Int? {
    (start..<bytes.count).first { has(text, at: $0) }.map { $0 + text.utf8CodeUnitCount }
  }
}
