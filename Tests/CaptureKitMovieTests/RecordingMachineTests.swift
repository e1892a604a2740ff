import Testing

@testable import CaptureKitMovie

@Suite(.timeLimit(.minutes(1)))
struct RecordingMachineTests {
  @Test func goesFromBeginningToEnd() throws {
    var machine = RecordingMachine()
    #expect(!machine.isRecording && !machine.takesFrames)

    try machine.begin("a.mkv")
    #expect(machine.isRecording && machine.takesFrames)
    let told = [machine.wroteFirstFrame(), machine.wroteFirstFrame()]
    #expect(told == [true, false])
    let isEnd = machine.end(nil)
    #expect(isEnd)
    #expect(machine.isRecording && !machine.takesFrames)
    let error = machine.finished()
    #expect(error == nil)
    #expect(!machine.isRecording)
  }

  /// The writer may be behind whoever stops.
  @Test func tellsOfTheFirstFrameThatIsWrittenAfterTheEnd() throws {
    var machine = RecordingMachine()
    try machine.begin("a.mkv")
    _ = machine.end(.noFrames("a"))

    let told = [machine.wroteFirstFrame(), machine.wroteFirstFrame()]

    #expect(told == [true, false])
    #expect(machine.phase == .ending(.noFrames("a")))
  }

  @Test func recordsOneMovieAtATime() throws {
    var machine = RecordingMachine()
    try machine.begin("a.mkv")

    let code1 = Self.code { () throws(MovieError) in try machine.begin("b.mkv") }
    #expect(code1 == .alreadyRecording)
    _ = machine.end(nil)
    let code2 = Self.code { () throws(MovieError) in try machine.begin("b.mkv") }
    #expect(code2 == .alreadyRecording)
    _ = machine.finished()
    try machine.begin("b.mkv")
  }

  @Test func endsForTheFirstReason() throws {
    var machine = RecordingMachine()
    try machine.begin("a.mkv")

    let ends = [machine.end(.noFrames("first")), machine.end(.noFrames("second"))]
    let error = machine.finished()
    let isEndAgain = machine.end(.noFrames("third"))

    #expect(ends == [true, false])
    #expect(error == .noFrames("first"))
    #expect(!isEndAgain)
  }

  @Test func pausesAndResumesInTurn() throws {
    var machine = RecordingMachine()
    let code3 = Self.code { () throws(MovieError) in try machine.pause() }
    #expect(code3 == .notRecording)
    try machine.begin("a.mkv")

    let code4 = Self.code { () throws(MovieError) in try machine.resume() }
    #expect(code4 == .notRecording)
    try machine.pause()
    #expect(machine.isPaused && !machine.takesFrames && machine.isRecording)
    let code5 = Self.code { () throws(MovieError) in try machine.pause() }
    #expect(code5 == .notRecording)
    try machine.resume()
    #expect(machine.takesFrames)
    _ = machine.end(nil)
    let code6 = Self.code { () throws(MovieError) in try machine.pause() }
    #expect(code6 == .notRecording)
  }

  @Test func isNotPausedWhenTheNextOneBegins() throws {
    var machine = RecordingMachine()
    try machine.begin("a.mkv")
    try machine.pause()
    _ = machine.end(nil)
    _ = machine.finished()

    try machine.begin("b.mkv")

    #expect(!machine.isPaused)
  }

  private static func code(
    _ body: () throws(MovieError) -> Void
  ) -> MovieError.Code? {
    do throws(MovieError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }
}
