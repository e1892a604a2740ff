/// Lines of text below the pictures; there are as many as the screen keeps free.
public struct TerminalCaption: Hashable, Sendable {
  /// What becomes of text that is longer than the terminal is wide.
  public enum Overflow: Hashable, Sendable {
    /// Its end is left out.
    case cut
    /// Its middle is: of a path the file's name is left.
    case cutInTheMiddle
    /// It goes on where the lines below it would be.
    case wrap
  }

  /// A line.
  public struct Line: Hashable, Sendable {
    /// The text. Bytes that a terminal would obey, as names of files may have them, are left out.
    public var text: String
    /// Whether it is told apart from other lines, by exchanged colours.
    public var isHighlighted: Bool
    /// What becomes of text that is too long.
    public var overflow: Overflow

    /// A line.
    public init(_ text: String, isHighlighted: Bool = false, overflow: Overflow = .cut) {
      self.text = text
      self.isHighlighted = isHighlighted
      self.overflow = overflow
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
  /// - Returns: The bytes.
  func bytes(from first: Int, on size: TerminalSize) -> [UInt8] {
    var text = ""
    for (row, line) in zip(first..<size.rows, rows(of: size.columns)) {
      // All of the row has the line's colours.
      let gap = String(repeating: " ", count: max(0, size.columns - line.text.count))
      text += "\u{1B}[\(row + 1);1H\u{1B}[\(line.isHighlighted ? "7" : "")m\(line.text)\(gap)"
    }
    return Array("\(text)\u{1B}[m".utf8)
  }

  /// The lines as they fit, as many as there are.
  private func rows(of columns: Int) -> [Line] {
    var rows: [Line] = []
    for line in lines where rows.count < lines.count {
      let text = String(line.text.unicodeScalars.filter(Self.isHarmless))
      rows += Self.fit(text, columns, line.overflow).map {
        Line($0, isHighlighted: line.isHighlighted)
      }
    }
    return Array(rows.prefix(lines.count))
  }

  private static func fit(_ text: String, _ columns: Int, _ overflow: Overflow) -> [String] {
    guard text.count > columns else { return [text] }
    switch overflow {
    case .cut: return [String(text.prefix(columns))]
    case .cutInTheMiddle:
      let end = max(0, columns - 1) * 2 / 3
      return ["\(text.prefix(max(0, columns - 1 - end)))…\(text.suffix(end))"]
    case .wrap:
      // At the last space, unless that would leave most of the row empty.
      let space = text.prefix(columns + 1).lastIndex(of: " ")
      let start = text.index(text.startIndex, offsetBy: columns)
      let end = space.flatMap {
        text.distance(from: text.startIndex, to: $0) > columns / 2 ? $0 : nil
      }
      let rest = text[(end ?? start)...].drop { $0 == " " }
      return [String(text[..<(end ?? start)])] + fit(String(rest), columns, .cut)
    }
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
