public import Foundation

/// A value of a file that this version gives no meaning, kept to be written back.
public indirect enum ItemValue: Sendable {
  /// JSON's null; property lists, which have none, hold the word `$null` in its place.
  case null
  case bool(Bool)
  case integer(Int64)
  /// A whole number above `Int64.max`.
  case unsigned(UInt64)
  case real(Double)
  case date(Date)
  case data(Data)
  case text(String)
  case list([ItemValue])
  case fields([String: ItemValue])
}

// MARK: - Depth

extension ItemValue {
  /// As deep may values lie in each other in a file. A list of items needs three levels.
  static let maximumDepth = 100

  /// Whether values lie in it on more levels; a single value has one.
  func isDeeper(than levels: Int) -> Bool {
    guard levels > 0 else { return true }
    return switch self {
    case .list(let values): values.contains { $0.isDeeper(than: levels - 1) }
    case .fields(let fields): fields.values.contains { $0.isDeeper(than: levels - 1) }
    default: false
    }
  }
}

// MARK: - Hashable

extension ItemValue: Hashable {
  /// Numbers and dates are equal when their bits are: one that is not a number equals itself, else
  /// an item that has it would count as changed for ever.
  public static func == (left: ItemValue, right: ItemValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.date(let left), .date(let right)): left.bits == right.bits
    case (.data(let left), .data(let right)): left == right
    case (.text(let left), .text(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.fields(let left), .fields(let right)): left == right
    default: false
    }
  }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .unsigned(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value.bitPattern)
    case .date(let value): hasher.combine(value.bits)
    case .data(let value): hasher.combine(value)
    case .text(let value): hasher.combine(value)
    case .list(let values): hasher.combine(values)
    case .fields(let values): hasher.combine(values)
    }
  }
}

extension Date {
  fileprivate var bits: UInt64 { timeIntervalSinceReferenceDate.bitPattern }
}

// MARK: - Codable

extension ItemValue: Codable {
  /// Reads whatever stands there.
  ///
  /// Coders do not say which type a value has, so each is tried. A property list's 2.0 becomes the
  /// integer 2; an ``ItemStore`` reads files itself, and keeps the difference.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(Double.self) {
      self = .real(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let values = try? container.decode([ItemValue].self) {
      self = .list(values)
    } else if let values = try? container.decode([String: ItemValue].self) {
      self = .fields(values)
    } else if let value = try? container.decode(Date.self) {
      self = .date(value)
    } else {
      self = .data(try container.decode(Data.self))
    }
  }

  /// Writes the value as its own type.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .real(let value): try container.encode(value)
    case .date(let value): try container.encode(value)
    case .data(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .list(let values): try container.encode(values)
    case .fields(let values): try container.encode(values)
    }
  }
}
