import Testing

@testable import TerminalPicture

@Suite(.timeLimit(.minutes(1)))
struct TerminalInputTests {
  private static func replies(_ text: String) -> [TerminalReply] {
    var input = TerminalInput()
    return input.take(text.utf8)
  }

  @Test func tellsKeysFromSequences() {
    #expect(Self.replies("q") == [.byte(UInt8(ascii: "q"))])
    #expect(
      Self.replies("\u{1B}[A\u{1B}OPx") == [
        .control(marker: nil, parameters: [], final: UInt8(ascii: "A")), .byte(UInt8(ascii: "x")),
      ])
    // A key that is held together with Alt is that key.
    #expect(Self.replies("\u{1B}q") == [.byte(UInt8(ascii: "q"))])
    #expect(Self.replies("\u{1B}\u{1B}[B").first == .escape)
  }

  @Test func tellsTheEscapeKeyByThePauseAfterIt() {
    var input = TerminalInput()
    #expect(input.pause() == nil)
    #expect(input.take([0x1B]).isEmpty && input.mayBeEscapeKey)
    #expect(input.pause() == .escape)
    #expect(!input.mayBeEscapeKey && input.pause() == nil)
  }

  /// Alt and a bracket begin what looks like an answer, and keys are keys again after it.
  @Test(arguments: ["]", "P", "_Gi=", "[", "[12;", "O", "_x\u{1B}"])
  func forgetsWhatNeverEnds(begun: String) {
    var input = TerminalInput()
    #expect(!input.isWaiting)
    #expect(input.take("\u{1B}\(begun)".utf8).isEmpty)
    #expect(input.isWaiting && !input.mayBeEscapeKey)
    #expect(input.pause() == nil && !input.isWaiting)
    #expect(input.take("q".utf8) == [.byte(UInt8(ascii: "q"))])
  }

  @Test func readsAnswersHoweverTheyAreCut() {
    let text = "\u{1B}_Gi=3;OK\u{1B}\\\u{1B}[?2026;2$y\u{1B}[6;20;10t\u{1B}[?62;4c"
    let whole = Self.replies(text)
    #expect(
      whole == [
        .string(kind: UInt8(ascii: "_"), bytes: Array("Gi=3;OK".utf8)),
        .control(marker: UInt8(ascii: "?"), parameters: [2026, 2], final: UInt8(ascii: "y")),
        .control(marker: nil, parameters: [6, 20, 10], final: UInt8(ascii: "t")),
        .control(marker: UInt8(ascii: "?"), parameters: [62, 4], final: UInt8(ascii: "c")),
      ])
    var input = TerminalInput()
    #expect(text.utf8.flatMap { input.take([$0]) } == whole)
  }

  @Test func keepsNothingOfWhatNeverEnds() {
    var input = TerminalInput()
    #expect(input.take("\u{1B}_".utf8).isEmpty)
    #expect(input.take(repeatElement(UInt8(ascii: "x"), count: 100_000)).isEmpty)
    guard case .string(_, let bytes) = input.take("\u{1B}\\".utf8).first else {
      Issue.record("no string")
      return
    }
    #expect(bytes.count <= 4096)
    _ = input.take("\u{1B}[\(String(repeating: "1", count: 5000))mq".utf8)
    #expect(input.take("q".utf8) == [.byte(UInt8(ascii: "q"))])
  }

  @Test func learnsWhatATerminalCanDo() {
    func learned(_ text: String) -> TerminalCapabilities {
      var capabilities = TerminalCapabilities()
      for reply in Self.replies(text) {
        let isAnswer = capabilities.learn(reply)
        #expect(isAnswer)
      }
      return capabilities
    }
    let all = learned("\u{1B}_Gi=3;OK\u{1B}\\\u{1B}[?2026;2$y\u{1B}[6;20;9t\u{1B}[?62;4c")
    #expect(all.hasKittyGraphics && all.hasSynchronizedOutput && all.isComplete)
    #expect(all.cell(columns: 80, rows: 24) == .init(width: 9, height: 20))
    #expect(all.questionsAboutSizes == "\u{1B}[16t\u{1B}[14t")
    #expect(TerminalCapabilities().questionsAboutSizes.isEmpty)
    let few = learned("\u{1B}_Gi=3;ENOTSUP:no\u{1B}\\\u{1B}[?2026;0$y\u{1B}[4;480;640t")
    #expect(!few.hasKittyGraphics && !few.hasSynchronizedOutput && !few.isComplete)
    #expect(few.cell(columns: 80, rows: 24) == .init(width: 8, height: 20))
    #expect(learned("\u{1B}[6;0;0t\u{1B}[4;0;0t").cell(columns: 80, rows: 24) == nil)

    var capabilities = TerminalCapabilities()
    for reply in Self.replies("q\u{1B}[A\u{1B}[200~\u{1B}]11;rgb:0\u{7}") {
      let isAnswer = capabilities.learn(reply)
      #expect(!isAnswer)
    }
  }

  @Test func asksTmuxForNoGraphics() {
    let names = ["TERM": "xterm-kitty"]
    #expect(TerminalKind(names).mayBeAskedForKitty)
    #expect(!TerminalKind(names.merging(["TMUX": "/tmp/x,1,0"]) { $1 }).mayBeAskedForKitty)
    #expect(!TerminalKind(["TERM": "tmux-256color"]).mayBeAskedForKitty)
    #expect(!TerminalKind(["TERM": "screen"]).mayBeAskedForKitty)
    #expect(!TerminalCapabilities.questions(withKitty: false, imageNumber: 1).contains("\u{1B}_"))
  }

  @Test func choosesColorsByTheEnvironment() {
    #expect(TerminalKind(["TERM": "xterm-256color"]).colors == .palette)
    #expect(
      TerminalKind(["TERM": "xterm-256color", "COLORTERM": "truecolor"]).colors == .truecolor)
    #expect(TerminalKind(["TERM": "foot"]).colors == .truecolor)
    #expect(TerminalKind(["TERM": "xterm"]).isCapable && !TerminalKind(["TERM": "dumb"]).isCapable)
    #expect(!TerminalKind([:]).isCapable)

    let kind = TerminalKind(["TERM": "xterm"])
    #expect(kind.style(PictureWish(), hasKittyGraphics: true) == .kitty)
    #expect(kind.style(PictureWish(), hasKittyGraphics: false) == .halfBlocks(.palette))
    #expect(
      kind.style(PictureWish(graphics: .blocks, colors: .truecolor), hasKittyGraphics: true)
        == .halfBlocks(.truecolor))
    #expect(kind.style(PictureWish(graphics: .kitty), hasKittyGraphics: false) == .kitty)
  }
}
