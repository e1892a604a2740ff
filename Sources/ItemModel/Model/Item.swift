public import Foundation

/// A thing that somebody owns.
///
/// The picture of an item is not part of it: whoever shows the item looks the picture up under
/// ``itemKey``.
public struct Item: Hashable, Sendable {
  /// What the thing is called.
  public var name: String
  /// What it is worth, in whole dollars.
  public var valueInDollars: Int
  /// The number on its type plate; nil where it has none.
  public var serialNumber: String?
  /// When the item was made.
  public let dateCreated: Date
  /// The kind of thing that it is.
  public var category: Category
  /// The key of the item and of its picture, unique in the world: a UUID's text.
  public let itemKey: String
  /// What stood beside these values in the file, written by a newer version; saved with them.
  public internal(set) var unknownValues: [String: ItemValue] = [:]

  /// Makes an item that was created now, with a key of its own.
  ///
  /// - Parameters:
  ///   - name: What the thing is called.
  ///   - serialNumber: The number on its type plate; nil where it has none.
  ///   - valueInDollars: What it is worth, in whole dollars.
  ///   - category: The kind of thing that it is.
  public init(
    name: String, serialNumber: String? = nil, valueInDollars: Int, category: Category = .other
  ) {
    self.name = name
    self.valueInDollars = valueInDollars
    self.serialNumber = serialNumber
    self.dateCreated = Date()
    self.category = category
    self.itemKey = Self.makeKey()
  }

  /// The same item under another key.
  func rekeyed(_ key: String = Self.makeKey()) -> Item {
    Item(
      name: name, valueInDollars: valueInDollars, serialNumber: serialNumber,
      dateCreated: dateCreated, category: category, itemKey: key, unknownValues: unknownValues)
  }

  package init(
    name: String, valueInDollars: Int, serialNumber: String?, dateCreated: Date,
    category: Category, itemKey: String, unknownValues: [String: ItemValue]
  ) {
    self.name = name
    self.valueInDollars = valueInDollars
    self.serialNumber = serialNumber
    self.dateCreated = dateCreated
    self.category = category
    self.itemKey = itemKey
    self.unknownValues = unknownValues
  }

  static func makeKey() -> String { UUID().uuidString }
}

// MARK: - Identifiable

extension Item: Identifiable {
  /// The item's key.
  public var id: String { itemKey }
}

// MARK: - Codable

/// Written by hand, as an example of what the compiler's own version cannot do.
///
/// The compiler would write the same file. But it would refuse each file in which a value is
/// missing, also one that was written before a property existed, and one bad item makes a list
/// of thousands unreadable. So each property answers here: what does its absence mean? And it would
/// drop what it does not know: a newer version's values would be gone after an older one has saved.
extension Item: Codable {
  /// The names of the values in a file: those of the properties.
  ///
  /// A property may be renamed in the program; its key here must stay, or old files lose it.
  enum CodingKeys: String, CodingKey, CaseIterable {
    case name
    case valueInDollars
    case serialNumber
    case dateCreated
    case category
    case itemKey
  }

  /// Reads an item, also one that an older version wrote.
  ///
  /// Without `itemKey` the item gets a new key; without `category` it is ``Category/other``. A
  /// serial number that is missing, null, or `"$null"`, as property lists write null, is nil.
  ///
  /// - Parameter decoder: The source, for instance of a `PropertyListDecoder`.
  /// - Throws: `DecodingError` where the name, the value or the date is missing, where any value
  ///   is of another type, or where values lie in each other on a hundred levels.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)

    // Without these three there is no item: their absence is an error.
    name = try values.decodeText(forKey: .name)
    valueInDollars = try values.decode(Int.self, forKey: .valueInDollars)
    dateCreated = try values.decode(Date.self, forKey: .dateCreated)
    // It would equal nothing, not even itself, and no database takes it.
    guard dateCreated.timeIntervalSinceReferenceDate.isFinite else {
      throw DecodingError.dataCorruptedError(
        forKey: .dateCreated, in: values, debugDescription: "It is no date.")
    }

    // Property lists have no null. Foundation writes this word for it, other readers see a string.
    let serialNumber = try values.decodeIfPresent(String.self, forKey: .serialNumber)
    self.serialNumber = serialNumber == "$null" ? nil : serialNumber

    // Added after the first files were written.
    category = try values.decodeIfPresent(Category.self, forKey: .category) ?? .other
    itemKey = try values.decodeIfPresent(String.self, forKey: .itemKey) ?? Self.makeKey()

    // A second view of the same values, by any name.
    let all = try decoder.container(keyedBy: AnyKey.self)
    for key in all.allKeys where CodingKeys(stringValue: key.stringValue) == nil {
      let value = try all.decode(ItemValue.self, forKey: key)
      // The list and the item lie around it.
      guard !value.isDeeper(than: ItemValue.maximumDepth - 2) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: all, debugDescription: "Its values lie too deep in each other.")
      }
      unknownValues[key.stringValue] = value
    }
  }

  /// Writes the item: one value for each property, none for a serial number that is nil, and those
  /// of newer versions as they were read.
  ///
  /// - Parameter encoder: The destination, for instance of a `PropertyListEncoder`.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    // First, so that no unknown value can replace a known one.
    var unknown = encoder.container(keyedBy: AnyKey.self)
    for (name, value) in unknownValues {
      try unknown.encode(value, forKey: AnyKey(stringValue: name))
    }

    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try values.encode(valueInDollars, forKey: .valueInDollars)
    // `encode` would write a null, which property lists do not have.
    try values.encodeIfPresent(serialNumber, forKey: .serialNumber)
    try values.encode(dateCreated, forKey: .dateCreated)
    try values.encode(category, forKey: .category)
    try values.encode(itemKey, forKey: .itemKey)
  }
}

/// A key of any name.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer {
  /// A string that must be there, also the one string that property lists confuse with null.
  ///
  /// Without this an item that somebody calls `$null` could be saved, but not read again.
  fileprivate func decodeText(forKey key: Key) throws -> String {
    try contains(key) && decodeNil(forKey: key) ? "$null" : decode(String.self, forKey: key)
  }
}
