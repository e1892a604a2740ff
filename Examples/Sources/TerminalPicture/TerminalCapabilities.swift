/// What a terminal has answered.
struct TerminalCapabilities: Sendable {
  private(set) var hasKittyGraphics = false
  /// Whether it shows what comes between two marks at once.
  private(set) var hasSynchronizedOutput = false
  /// Whether it has answered the last question, which all terminals know: those before it that it
  /// knows it has answered then.
  private(set) var isComplete = false
  private var cell: TerminalSize.CellSize?
  private var textArea: (width: Int, height: Int)?

  /// The questions: an image that is not to be kept, synchronized output, the sizes of a cell and of
  /// all cells in pixels; and what it is.
  static func questions(withKitty: Bool, imageNumber: UInt32) -> String {
    let kitty =
      withKitty ? "\u{1B}_Gi=\(imageNumber),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" : ""
    return kitty + "\u{1B}[?2026$p" + sizeQuestions + "\u{1B}[c"
  }

  private static let sizeQuestions = "\u{1B}[16t\u{1B}[14t"

  /// The questions after the terminal has got another size; none for one that has not answered them.
  var questionsAboutSizes: String { cell == nil && textArea == nil ? "" : Self.sizeQuestions }

  /// Takes an answer.
  ///
  /// - Returns: Whether it was one: a key is none.
  mutating func learn(_ reply: TerminalReply) -> Bool {
    switch reply {
    case .string(UInt8(ascii: "_"), let bytes):
      guard bytes.first == UInt8(ascii: "G") else { return false }
      if bytes.suffix(3) == Array(";OK".utf8) { hasKittyGraphics = true }
    case .control(UInt8(ascii: "?"), let parameters, UInt8(ascii: "c")):
      guard !parameters.isEmpty else { return false }
      isComplete = true
    case .control(UInt8(ascii: "?"), let parameters, UInt8(ascii: "y")):
      guard parameters.count == 2, parameters[0] == 2026 else { return false }
      hasSynchronizedOutput = parameters[1] == 1 || parameters[1] == 2
    case .control(nil, let parameters, UInt8(ascii: "t")):
      guard parameters.count == 3 else { return false }
      if parameters[0] == 6 {
        cell = .init(width: Double(parameters[2]), height: Double(parameters[1]))
      } else if parameters[0] == 4 {
        textArea = (parameters[2], parameters[1])
      }
    default: return false
    }
    return true
  }

  /// A cell's size as the terminal has told it; nil where it has not.
  func cell(columns: Int, rows: Int) -> TerminalSize.CellSize? {
    cell
      ?? textArea.flatMap {
        .init(width: Double($0.width) / Double(columns), height: Double($0.height) / Double(rows))
      }
  }
}
