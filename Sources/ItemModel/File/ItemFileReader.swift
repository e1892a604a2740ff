import Foundation

/// Reads the bytes of a file of items, of any kind that is in the world.
struct ItemFileReader {
  /// How the file's dates are written, where the caller knows; else they are told apart.
  var dates: ItemDates?
  var now = Date()

  enum Failure: Error {
    /// The file is no list of items, or damaged; a sentence.
    case unreadable(String)
    /// It is a list, but its dates may mean several things, or nothing; a sentence.
    case unclearDates(String)
  }

  func contents(of bytes: [UInt8]) throws(Failure) -> ItemContents {
    guard let elements = try elements(of: bytes), let contents = ItemContents(elements) else {
      throw .unreadable("It is no list of items.")
    }
    return contents
  }

  /// Told by the first bytes: a file's name may say anything.
  private func elements(of bytes: [UInt8]) throws(Failure) -> [StoredElement]? {
    let letter = Self.firstLetter(of: bytes)
    if letter == UInt8(ascii: "[") || letter == UInt8(ascii: "{") { return try json(bytes) }
    do throws(ListDamage) {
      if bytes.starts(with: BinaryListReader.signature) { return try binary(bytes) }
      if letter == UInt8(ascii: "<") { return try xml(bytes) }
    } catch {
      throw .unreadable(error.reason)
    }
    throw .unreadable(bytes.isEmpty ? "It is empty." : "It is neither a property list nor JSON.")
  }

  /// After a byte order mark and blanks; in UTF-16 each letter has a zero beside it.
  private static func firstLetter(of bytes: [UInt8]) -> UInt8? {
    bytes.first { ![0, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 9, 10, 13, 32].contains($0) }
  }

  private func binary(_ bytes: [UInt8]) throws(ListDamage) -> [StoredElement]? {
    var reader = try BinaryListReader(bytes)
    return try reader.elements()
  }

  private func xml(_ bytes: [UInt8]) throws(ListDamage) -> [StoredElement]? {
    guard case .list(let values) = try XMLListReader.root(of: bytes) else { return nil }
    return values.map { StoredElement($0, dates: nil) }
  }

  private func json(_ bytes: [UInt8]) throws(Failure) -> [StoredElement]? {
    let root: ItemValue
    do {
      root = try JSONDecoder().decode(ItemValue.self, from: Data(bytes))
    } catch {
      throw .unreadable(Self.sentence(for: error))
    }
    // A list that is saved as it is could not be read again.
    guard !root.isDeeper(than: ItemValue.maximumDepth) else {
      throw .unreadable("Its values lie too deep in each other.")
    }
    guard case .list(let values) = root else { return nil }
    let dates = try dates(of: values)
    return values.map { StoredElement($0, dates: dates) }
  }

  private func dates(of elements: [ItemValue]) throws(Failure) -> ItemDates {
    if let dates { return dates }
    let values = elements.compactMap { element -> ItemValue? in
      guard case .fields(let fields) = element else { return nil }
      switch fields[Item.CodingKeys.dateCreated.stringValue] {
      case .list?, .fields?, .bool?, .null?, nil: return nil
      case let value: return value
      }
    }
    let candidates = ItemDates.candidates(for: values, now: now)
    guard let found = candidates.first, candidates.count == 1 || values.isEmpty else {
      let problem =
        candidates.isEmpty
        ? "Its dates fit no way of writing them so that all lie between 2001 and now"
        : "Its dates may be \(candidates.map { "\($0)" }.joined(separator: " or "))"
      throw .unclearDates("\(problem); say which one they are.")
    }
    return found
  }

  private static func sentence(for error: any Error) -> String {
    guard case .dataCorrupted(let context)? = error as? DecodingError else { return "\(error)" }
    let detail = context.debugDescription
    return detail.hasSuffix(".") ? detail : detail + "."
  }
}
