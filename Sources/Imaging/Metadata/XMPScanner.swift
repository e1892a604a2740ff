/// Walks through tags and attributes, and puts blanks over those that it is asked to.
struct XMPScanner {
  private(set) var bytes: [UInt8]
  private let blanksComments: Bool
  private let isUnwanted: (_ name: String) -> Bool
  private var place = 0

  /// Names are with their namespace's, as they are written.
  init(bytes: [UInt8], blanksComments: Bool, isUnwanted: @escaping (String) -> Bool) {
    self.bytes = bytes
    self.blanksComments = blanksComments
    self.isUnwanted = isUnwanted
  }

  /// False where tags are not closed, and for what XMP has no business to have: other declarations
  /// and text that is no markup.
  mutating func run() -> Bool {
    while let start = next(0x3C, from: place) {
      if has("<!--", at: start) {
        guard let end = end(of: "-->", from: start) else { return false }
        if blanksComments { blank(start..<end) }
        place = end
      } else if has("<!", at: start) {
        return false
      } else if has("<?", at: start) || has("</", at: start) {
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
    guard isUnwanted(text(name)) else {
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
      if isUnwanted(text(name)) { blank(place..<close + 1) }
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

  private func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }

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
