/// Text of RFC 4180: records of fields.
enum CSVText {
  /// A field; quotes tell an empty text from none.
  struct Field: Hashable {
    var text: String
    var isQuoted = false
  }

  /// A record, and the line of the text on which it begins, from 1.
  struct Record: Hashable {
    var fields: [Field] = []
    var line: Int
  }

  // MARK: - Writing

  static func text(of records: [[Field]]) -> String {
    records.map { $0.map(text).joined(separator: ",") + "\r\n" }.joined()
  }

  private static func text(of field: Field) -> String {
    // Semicolons and tabs separate fields in some countries' spreadsheets; blanks at the ends get
    // lost.
    let needsQuotes =
      field.isQuoted
      || field.text.unicodeScalars.contains { "\",;\t\r\n".unicodeScalars.contains($0) }
      || field.text.first?.isWhitespace == true || field.text.last?.isWhitespace == true
    return needsQuotes
      ? "\"" + field.text.replacing("\"", with: "\"\"") + "\"" : field.text
  }

  // MARK: - Reading

  /// Reads records with the separator that finds `name` in the first one: a comma, else a semicolon
  /// or a tab, which spreadsheets write where the comma is part of numbers. Lines may end in any
  /// way.
  static func records(of text: String, withField name: String) -> [Record] {
    let bytes = Array(text.utf8)
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")] {
      let records = records(of: bytes[start...], separator: separator)
      if records.first?.fields.contains(where: { $0.text == name }) == true { return records }
    }
    return records(of: bytes[start...], separator: UInt8(ascii: ","))
  }

  private static func records(of bytes: ArraySlice<UInt8>, separator: UInt8) -> [Record] {
    var reader = Reader(separator: separator)
    for byte in bytes { reader.read(byte) }
    return reader.finished()
  }

  private struct Reader {
    private enum State { case outside, inside, afterQuote }

    let separator: UInt8
    private var records: [Record] = []
    private var record = Record(line: 1)
    private var field: [UInt8] = []
    private var isQuoted = false
    private var state = State.outside
    private var line = 1
    private var lastWasReturn = false

    init(separator: UInt8) { self.separator = separator }

    mutating func read(_ byte: UInt8) {
      let isReturn = byte == UInt8(ascii: "\r")
      let isSecondOfTwo = byte == UInt8(ascii: "\n") && lastWasReturn
      defer { lastWasReturn = isReturn }
      if isReturn || (byte == UInt8(ascii: "\n") && !isSecondOfTwo) { line += 1 }
      switch (state, byte) {
      case (.inside, UInt8(ascii: "\"")): state = .afterQuote
      case (.inside, _): field.append(byte)
      case (.afterQuote, UInt8(ascii: "\"")):
        field.append(byte)
        state = .inside
      case (_, separator): endField()
      case (_, UInt8(ascii: "\n")) where isSecondOfTwo: break
      case (_, UInt8(ascii: "\r")), (_, UInt8(ascii: "\n")): endRecord()
      case (.outside, UInt8(ascii: "\"")) where field.isEmpty && !isQuoted:
        isQuoted = true
        state = .inside
      default: field.append(byte)
      }
    }

    mutating func finished() -> [Record] {
      if !record.fields.isEmpty || !field.isEmpty || isQuoted { endRecord() }
      return records
    }

    private mutating func endField() {
      record.fields.append(
        Field(text: String(decoding: field, as: UTF8.self), isQuoted: isQuoted))
      field = []
      isQuoted = false
      state = .outside
    }

    private mutating func endRecord() {
      endField()
      // A blank line is none.
      if record.fields != [Field(text: "")] { records.append(record) }
      record = Record(line: line)
    }
  }
}

/// Text that a spreadsheet would take for a formula, and run.
enum CSVFormula {
  /// An apostrophe before it makes it text for every spreadsheet.
  static func neutralized(_ text: String) -> String { isGuarded(text) ? "'" + text : text }

  /// What ``neutralized(_:)`` was given.
  static func restored(_ text: String) -> String {
    text.hasPrefix("'") && isGuarded(text.dropFirst()) ? String(text.dropFirst()) : text
  }

  /// Also what already has apostrophes, so that reading can take one away for certain, and what has
  /// blanks before it, which spreadsheets drop.
  private static func isGuarded(_ text: some StringProtocol) -> Bool {
    // Scalars: a combining mark would make another letter of the sign.
    let first = text.unicodeScalars.first {
      starts.contains($0) || $0 != "'" && !$0.properties.isWhitespace
    }
    return first.map(starts.contains) ?? false
  }

  /// As OWASP's “CSV Injection” lists them, with their full-width forms.
  private static let starts: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠",
  ]
}
