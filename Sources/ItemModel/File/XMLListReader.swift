import Foundation

/// Reads an XML property list, by the DTD that such files name.
///
/// Foundation's reader is C, has no bound on how deep values lie in each other, and does not tell 2
/// from 2.0 apart where it is asked for a number. Characters that XML does not allow are taken as
/// they stand, for Apple's writers write them.
struct XMLListReader {
  private let bytes: [UInt8]
  private var place = 0

  /// - Parameter bytes: UTF-8, or UTF-16 with a byte order mark.
  /// - Returns: The value at the root.
  /// - Throws: ``ListDamage``.
  static func root(of bytes: [UInt8]) throws(ListDamage) -> ItemValue {
    var reader = XMLListReader(bytes: try utf8(bytes))
    guard var tag = try reader.nextTag() else { throw ListDamage("It is cut off.") }
    if tag.name == "plist" {
      guard let first = try reader.nextTag() else { throw ListDamage("It is cut off.") }
      tag = first
    }
    let value = try reader.value(tag, depth: 0)
    // What follows does not matter, but a file that was cut off must not pass for a whole one.
    guard let end = try reader.nextTag(), end.name == "/plist" else {
      throw ListDamage("It is cut off.")
    }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private static func utf8(_ bytes: [UInt8]) throws(ListDamage) -> [UInt8] {
    guard bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) else { return bytes }
    guard let text = String(data: Data(bytes), encoding: .utf16) else {
      throw ListDamage("Its text is damaged.")
    }
    return Array(text.utf8)
  }
}

// MARK: - Values

extension XMLListReader {
  private mutating func value(_ tag: Tag, depth: Int) throws(ListDamage) -> ItemValue {
    guard depth < ItemValue.maximumDepth else {
      throw ListDamage("Its values lie too deep in each other.")
    }
    switch tag.name {
    case "array": return .list(try list(tag, depth: depth))
    case "dict": return .fields(try fields(tag, depth: depth))
    case "true", "false":
      if !tag.isEmpty { _ = try text(upTo: tag.name) }
      return .bool(tag.name == "true")
    case "string": return .text(tag.isEmpty ? "" : try text(upTo: "string"))
    case "integer": return try integer(tag.isEmpty ? "" : try text(upTo: "integer"))
    case "real":
      let text = try text(upTo: "real").trimmingCharacters(in: .whitespacesAndNewlines)
      guard let number = Double(text) else { throw ListDamage("“\(text)” is no number.") }
      return .real(number)
    case "date":
      let text = try text(upTo: "date").trimmingCharacters(in: .whitespacesAndNewlines)
      guard let date = ISODate.date(text) else { throw ListDamage("“\(text)” is no date.") }
      return .date(date)
    case "data":
      let text = tag.isEmpty ? "" : try text(upTo: "data")
      guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
        throw ListDamage("It has damaged data.")
      }
      return .data(data)
    default: throw ListDamage("It has a value of an unknown type.")
    }
  }

  private mutating func list(_ tag: Tag, depth: Int) throws(ListDamage) -> [ItemValue] {
    var values: [ItemValue] = []
    while !tag.isEmpty {
      guard let next = try nextTag() else { throw ListDamage("It is cut off.") }
      if next.name == "/array" { break }
      values.append(try value(next, depth: depth + 1))
    }
    return values
  }

  private mutating func fields(_ tag: Tag, depth: Int) throws(ListDamage) -> [String: ItemValue] {
    var values: [String: ItemValue] = [:]
    while !tag.isEmpty {
      guard let key = try nextTag() else { throw ListDamage("It is cut off.") }
      if key.name == "/dict" { break }
      guard key.name == "key" else { throw ListDamage("A value in it has no name.") }
      let name = key.isEmpty ? "" : try text(upTo: "key")
      guard let next = try nextTag() else { throw ListDamage("It is cut off.") }
      values[name] = try value(next, depth: depth + 1)
    }
    return values
  }

  private func integer(_ text: String) throws(ListDamage) -> ItemValue {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if let number = Int64(text) { return .integer(number) }
    if let number = UInt64(text) { return .unsigned(number) }
    let isNegative = text.hasPrefix("-")
    let digits = text.drop { $0 == "-" || $0 == "+" }
    guard digits.lowercased().hasPrefix("0x"),
      let number = Int64((isNegative ? "-" : "") + digits.dropFirst(2), radix: 16)
    else { throw ListDamage("“\(text)” is no whole number.") }
    return .integer(number)
  }
}

// MARK: - Markup

extension XMLListReader {
  private struct Tag {
    /// With a slash before it where it ends an element.
    var name: String
    var isEmpty: Bool
  }

  /// The next tag, past comments, declarations and the blanks between elements; nil at the end.
  private mutating func nextTag() throws(ListDamage) -> Tag? {
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "<") else {
        place += 1
        continue
      }
      if skip(from: "<!--", past: "-->") || skip(from: "<?", past: "?>") || skipDeclaration() {
        continue
      }
      guard let end = bytes[place...].firstIndex(of: UInt8(ascii: ">")) else {
        throw ListDamage("It is cut off.")
      }
      var inside = bytes[(place + 1)..<end]
      place = end + 1
      let isEmpty = inside.last == UInt8(ascii: "/")
      if isEmpty { inside.removeLast() }
      let name = inside.prefix { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
      return Tag(name: String(decoding: name, as: UTF8.self), isEmpty: isEmpty)
    }
    return nil
  }

  /// A document type may have declarations in brackets, which property lists do not need.
  private mutating func skipDeclaration() -> Bool {
    guard bytes[place...].starts(with: "<!".utf8), !bytes[place...].starts(with: "<![".utf8) else {
      return false
    }
    return skip(from: "<!", past: ">")
  }

  /// Goes past what begins here and ends as said, or to the end of the file.
  private mutating func skip(from start: String, past end: String) -> Bool {
    guard bytes[place...].starts(with: start.utf8) else { return false }
    let end = Array(end.utf8)
    place += start.utf8.count
    while place < bytes.count, !bytes[place...].starts(with: end) { place += 1 }
    place = min(place + end.count, bytes.count)
    return true
  }

  /// The text of an element, whose end is passed, too.
  private mutating func text(upTo name: String) throws(ListDamage) -> String {
    var text: [UInt8] = []
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "&"): try appendReference(to: &text)
      case UInt8(ascii: "<"):
        if bytes[place...].starts(with: "<![CDATA[".utf8) {
          let start = place + 9
          _ = skip(from: "<![CDATA[", past: "]]>")
          text += bytes[start..<max(start, place - 3)]
          continue
        }
        if skip(from: "<!--", past: "-->") { continue }
        guard let tag = try nextTag(), tag.name == "/" + name else {
          throw ListDamage("A \(name) in it has no end.")
        }
        guard let valid = String(validating: text, as: UTF8.self) else {
          throw ListDamage("A text in it is damaged.")
        }
        return valid
      default:
        text.append(bytes[place])
        place += 1
      }
    }
    throw ListDamage("It is cut off.")
  }

  /// One of XML's five names, or a number.
  private mutating func appendReference(to text: inout [UInt8]) throws(ListDamage) {
    let end = bytes[place...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
    guard let end else { throw ListDamage("A text in it is damaged.") }
    let name = String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
    place = end + 1
    switch name {
    case "lt": text.append(UInt8(ascii: "<"))
    case "gt": text.append(UInt8(ascii: ">"))
    case "amp": text.append(UInt8(ascii: "&"))
    case "quot": text.append(UInt8(ascii: "\""))
    case "apos": text.append(UInt8(ascii: "'"))
    default:
      let digits = name.dropFirst()
      let number =
        digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      guard name.first == "#", let scalar = number.flatMap(Unicode.Scalar.init) else {
        throw ListDamage("A text in it is damaged.")
      }
      text += Array(String(Character(scalar)).utf8)
    }
  }
}
