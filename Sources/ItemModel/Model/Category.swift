/// The kind of thing that an item is.
///
/// A word that a newer version of the program wrote is kept: it is shown as ``other``, and
/// saving the item writes it back unchanged.
public enum Category: Sendable {
  case electronics
  case clothing
  case book
  case other
  /// A word that this version does not know, as it was read.
  case unknown(String)

  /// The category to show to people: ``other`` for an unknown one.
  public var displayed: Category {
    Self.allCases.contains(self) ? self : .other
  }
}

// MARK: - CaseIterable

extension Category: CaseIterable {
  /// The categories that a person can choose from, in the order of a menu.
  public static let allCases: [Category] = [.electronics, .clothing, .book, .other]
}

// MARK: - RawRepresentable

extension Category: RawRepresentable {
  /// The word that stands in files.
  public var rawValue: String {
    switch self {
    case .electronics: "electronics"
    case .clothing: "clothing"
    case .book: "book"
    case .other: "other"
    case .unknown(let word): word
    }
  }

  /// The category of a word; any word makes one.
  public init(rawValue: String) {
    self = Self.allCases.first { $0.rawValue == rawValue } ?? .unknown(rawValue)
  }
}

// MARK: - Hashable

extension Category: Hashable {
  /// Categories are equal when their words are.
  public static func == (left: Category, right: Category) -> Bool {
    left.rawValue == right.rawValue
  }

  /// Hashes the word.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rawValue)
  }
}

// MARK: - Codable

// A single string: the standard library provides it for any `RawRepresentable` of a `String`.
extension Category: Codable {}
