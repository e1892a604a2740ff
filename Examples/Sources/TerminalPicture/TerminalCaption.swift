/// Lines of text below the pictures; there are as many as the screen keeps free.
public struct TerminalCaption: Hashable, Sendable {
  /// A line; what does not fit into the terminal is cut off.
  public struct Line: Hashable, Sendable {
    /// The text. Bytes that a terminal would obey, as names of files may have them, are left out.
    public var text: String
    /// Whether it is told apart from other lines, by exchanged colours.
    public var isHighlighted: Bool

    /// A line.
    public init(_ text: String, isHighlighted: Bool = false) {
      self.text = text
      self.isHighlighted = isHighlighted
    }
  }

  /// The lines, from above.
  public var lines: [Line]

  /// A caption.
  public init(_ lines: [Line]) { self.lines = lines }

  /// What is to be written to show it.
  ///
  /// - Parameters:
  ///   - first: The row of the first line, from 0.
  ///   - size: The terminal's size.
  func bytes(from first: Int, on size: TerminalSize) -> [UInt8] {
    var text = ""
    for (index, line) in lines.enumerated() where first + index < size.rows {
      let shown = String(line.text.unicodeScalars.filter(Self.isHarmless))
      // Erased with the colours of the line, which so fill it.
      text += "\u{1B}[\(first + index + 1);1H\u{1B}[\(line.isHighlighted ? "7" : "")m\u{1B}[K"
      text +=
        line.isHighlighted
        ? shown.padded(to: size.columns) : String(shown.prefix(size.columns))
    }
    return Array("\(text)\u{1B}[m".utf8)
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default: true
    }
  }
}

extension String {
  fileprivate func padded(to count: Int) -> String {
    let text = prefix(count)
    return text + String(repeating: " ", count: count - text.count)
  }
}
