import Testing

@testable import TerminalPicture

@Suite(.timeLimit(.minutes(1)))
struct TerminalCaptionTests {
  /// The rows that a caption writes: from the 5th of 6 on, without colours.
  private static func rows(
    _ columns: Int, _ lines: TerminalCaption.Line...
  ) -> [String] {
    let bytes = TerminalCaption(lines).bytes(
      from: 4, on: TerminalSize(columns: columns, rows: 6))
    let text = String(decoding: bytes, as: UTF8.self).replacing("\u{1B}[m", with: "")
      .replacing("\u{1B}[7m", with: "")
    return text.split(separator: "\u{1B}[").map { String($0) }
  }

  @Test func fillsRowsBelowThePicture() {
    #expect(
      Self.rows(5, .init("ab", isHighlighted: true), .init("c")) == ["5;1Hab   ", "6;1Hc    "])
    // There is no third row.
    #expect(Self.rows(3, .init("a"), .init("b"), .init("c")) == ["5;1Ha  ", "6;1Hb  "])
  }

  @Test func cutsWhatIsTooLong() {
    #expect(Self.rows(5, .init("abcdefgh")) == ["5;1Habcde"])
    #expect(Self.rows(7, .init("/abc/def.jpg", overflow: .cutInTheMiddle)) == ["5;1H/a….jpg"])
    #expect(Self.rows(1, .init("abc", overflow: .cutInTheMiddle)) == ["5;1H…"])
  }

  @Test func wrapsSentencesOverTheLinesBelow() {
    let sentence = TerminalCaption.Line("There is no camera here.", overflow: .wrap)
    #expect(Self.rows(14, sentence, .init("keys")) == ["5;1HThere is no   ", "6;1Hcamera here.  "])
    #expect(
      Self.rows(30, sentence, .init("keys")).last == "6;1Hkeys" + String(repeating: " ", count: 26))
    #expect(Self.rows(3, .init("abcdef", overflow: .wrap), .init("")) == ["5;1Habc", "6;1Hdef"])
  }

  /// Names of files are foreign, and a terminal would obey them.
  @Test func leavesOutWhatATerminalWouldObey() {
    let name = "a\u{1B}]0;x\u{7}\u{9B}2J\r\n\u{202E}b.jpg"
    #expect(Self.rows(20, .init(name)) == ["5;1Ha]0;x2Jb.jpg        "])
  }

  @Test func leavesThePictureFewerRows() {
    let size = TerminalSize(columns: 80, rows: 24)
    let layout = TerminalLayout(
      whole: size, captionRowCount: 2, style: .halfBlocks(.truecolor), pixelLimit: 1)
    #expect(layout.canvas.height == 44)
    let low = TerminalLayout(
      whole: TerminalSize(columns: 80, rows: 2), captionRowCount: 2,
      style: .halfBlocks(.truecolor), pixelLimit: 1)
    #expect(low.canvas.height == 2)
  }

  @Test(arguments: [
    ("\u{1B}[A", TerminalMotion.up), ("\u{1B}OB", .down), ("\u{1B}[1;5C", .right),
    ("\u{1B}OD", .left), ("\u{1B}[H", .home), ("\u{1B}[1~", .home), ("\u{1B}[F", .end),
    ("\u{1B}[4~", .end), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown),
  ])
  func knowsKeysThatMove(text: String, motion: TerminalMotion) {
    var input = TerminalInput()
    guard case .control(nil, let parameters, let final) = input.take(text.utf8).first else {
      Issue.record("no key")
      return
    }
    #expect(TerminalMotion(parameters: parameters, final: final) == motion)
  }

  @Test func knowsNoOtherKeysThatMove() {
    #expect(TerminalMotion(parameters: [2], final: UInt8(ascii: "~")) == nil)
    #expect(TerminalMotion(parameters: [], final: UInt8(ascii: "P")) == nil)
    var input = TerminalInput()
    #expect(input.take("\u{1B}OP".utf8).isEmpty && !input.isWaiting)
  }
}
