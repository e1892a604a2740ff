extension CaptureControl {
  /// A control's value: a number, or text for a control of the kind `string`.
  ///
  /// A literal is one: `try device.setValue(true, for: .automaticFocus)`.
  public enum Value: Hashable, Sendable, Codable {
    /// A number, a menu item's index, bits, or 0 and 1 for off and on.
    case integer(Int64)
    /// Text.
    case text(String)
  }
}

extension CaptureControl.Value {
  /// The number; nil of text.
  public var number: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// Whether the number is not 0; false of text.
  public var isOn: Bool { number.map { $0 != 0 } ?? false }
}

// MARK: - Literals

extension CaptureControl.Value: ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByStringLiteral
{
  /// A number.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// 1 for true, 0 for false.
  public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }

  /// Text.
  public init(stringLiteral value: String) { self = .text(value) }
}

// MARK: - Codable

extension CaptureControl.Value {
  /// Reads a number or a text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self = .integer(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  /// Writes the number or the text itself.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    }
  }
}

// MARK: - CustomStringConvertible

extension CaptureControl.Value: CustomStringConvertible {
  /// The number or the text.
  public var description: String {
    switch self {
    case .integer(let number): "\(number)"
    case .text(let text): text
    }
  }
}
