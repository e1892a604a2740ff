/// An XMP packet, changed without moving anything in it: what goes becomes blanks (ISO 16684-1).
enum XMPPacket {
  /// Properties that are taken out.
  enum Properties {
    /// Whatever says where the picture was taken, in numbers or by name.
    case places
    /// Where the camera was, in numbers.
    case position
    /// Small pictures of what is to be seen.
    case thumbnails
  }

  /// The packet without some of its properties.
  ///
  /// - Parameters:
  ///   - properties: What goes.
  ///   - packet: UTF-8, as XMP in picture files is.
  ///   - keepsExtension: Whether the packet's continuation stays; otherwise what names it goes,
  ///     too.
  /// - Returns: As many bytes; nil where the packet is not understood, or speaks of them beside its
  ///   properties, and has to go.
  static func without(
    _ properties: Properties, _ packet: [UInt8], keepsExtension: Bool = true
  ) -> [UInt8]? {
    // Zeros within: UTF-16, in which no name would be found.
    let end = packet.lastIndex { $0 != 0 } ?? 0
    guard !packet[..<end].contains(0) else { return nil }
    var scanner = XMPScanner(bytes: packet, blanksComments: properties == .places) { name in
      properties.include(name) || !keepsExtension && name.hasSuffix("HasExtendedXMP")
    }
    guard scanner.run() else { return properties.mayBeNamed(in: packet) ? nil : packet }
    return properties.areSpokenOf(in: scanner.bytes) ? nil : scanner.bytes
  }

  /// Whether a packet has such properties, or is not understood.
  static func has(_ properties: Properties, _ packet: [UInt8]) -> Bool {
    without(properties, packet) != packet
  }

  /// Whether a name, of a property or of a text, is one of a place.
  static func namesPlace(_ name: String) -> Bool { Properties.places.include(name) }

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

extension XMPPacket.Properties {
  /// Names of places in the namespaces of IPTC, Photoshop, Dublin Core, PRISM, Darwin Core and
  /// others, without capitals.
  private static let placeNames: Set<String> = [
    "city", "state", "country", "countrycode", "countryname", "provincestate", "worldregion",
    "coverage", "spatial", "landmark", "locality", "lat", "long", "lon",
  ]
  /// Places within the picture.
  private static let others: Set<String> = ["subjectlocation", "focuslocation"]

  /// Whether a property is meant, by its name with its namespace's usual one, if any.
  func include(_ qualifiedName: String) -> Bool {
    let parts = qualifiedName.lowercased().split(separator: ":")
    guard let name = parts.last, parts.first != "xmlns" else { return false }
    switch self {
    case .thumbnails: return name == "thumbnails"
    case .position: return Self.isPosition(name, in: parts.count > 1 ? parts[0] : "")
    case .places:
      return Self.isPosition(name, in: parts.count > 1 ? parts[0] : "")
        || Self.placeNames.contains(String(name))
        || (name.hasPrefix("location") || name.hasSuffix("location"))
          && !Self.others.contains(String(name))
    }
  }

  private static func isPosition(_ name: Substring, in space: Substring) -> Bool {
    name.contains("gps") || name.contains("latitude") || name.contains("ongitude")
      || name.contains("ongtitude") || name.contains("altitude") || space.hasPrefix("geo")
  }

  /// Whether a packet that cannot be read may have such properties.
  fileprivate func mayBeNamed(in packet: [UInt8]) -> Bool {
    guard self != .thumbnails else { return areSpokenOf(in: packet) }
    if LocationWords.areIn(packet, .text) { return true }
    // A property's name has its namespace's before it.
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    let parts = packet.split(separator: 0x3A)
    return zip(parts, parts.dropFirst()).contains { before, after in
      let space = before.suffix(32).reversed().prefix(while: isLetter).reversed()
      let name = after.prefix(while: isLetter)
      return include(
        String(decoding: space, as: UTF8.self) + ":" + String(decoding: name, as: UTF8.self))
    }
  }

  /// Whether a packet whose properties are known speaks of them elsewhere.
  fileprivate func areSpokenOf(in packet: [UInt8]) -> Bool {
    let span = packet.span
    return switch self {
    case .places: LocationWords.areIn(packet, .markup)
    // What somebody says in words of another place is none of it.
    case .position: false
    case .thumbnails: span.bytes.contains("xmpGImg:image")
    }
  }
}
