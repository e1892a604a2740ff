import CaptureKitLibrary
import TerminalPicture
import Testing

@testable import CameraScreens

@Suite(.timeLimit(.minutes(1)))
struct CameraMachineTests {
  typealias Action = CameraMachine.Action
  typealias State = ImagePickerController.State

  static func machine(
    cameras: Int = 2, hasLibrary: Bool = true, in states: State...
  ) -> CameraMachine {
    var machine = CameraMachine(
      .init(cameraCount: cameras, isSimulated: true, hasLibrary: hasLibrary), side: .rear)
    for state in states { _ = machine.take(.picker(state)) }
    return machine
  }

  static func key(_ character: Character) -> CameraMachine.Event {
    .terminal(.key(character.asciiValue ?? 0))
  }

  private static func keys(_ machine: CameraMachine) -> String {
    machine.caption().lines[1].text
  }

  // MARK: Where it begins

  @Test func beginsWithTheCameraThatThereIs() {
    #expect(Self.machine().begin() == [.present(.camera)])
    let none = Self.machine(cameras: 0)
    #expect(none.begin() == [.present(.library)])
    #expect(none.message?.contains("no camera") == true)
    guard case .fail = Self.machine(cameras: 0, hasLibrary: false).begin().first else {
      Issue.record("goes on without anything")
      return
    }
  }

  @Test func offersNoChoiceWithoutACamera() {
    var machine = Self.machine(cameras: 0, in: .choosing)
    #expect(!Self.keys(machine).contains("video") && !Self.keys(machine).contains("camera"))
    #expect(machine.take(.terminal(.escape)) == [])
    #expect(machine.take(.terminal(.key(9))) == [] && machine.mode == .photo)
    #expect(Self.keys(Self.machine(in: .live)).contains("tab video"))
  }

  @Test func offersAnotherCameraOnlyWhereThereIsOne() {
    var one = Self.machine(cameras: 1, in: .live)
    #expect(one.take(Self.key("c")) == [] && !Self.keys(one).contains("c camera"))
    var two = Self.machine(in: .live)
    #expect(two.take(Self.key("c")) == [.switchCamera(.front)])
    _ = two.take(.switched(.front))
    #expect(two.take(Self.key("c")) == [.switchCamera(.rear)])
  }

  /// A source that is not there is replaced by the other one, but not for ever.
  @Test func givesUpWhereNeitherSourceIsThere() {
    var machine = Self.machine(in: .presenting)
    #expect(machine.take(.unavailable("The camera is busy.")) == [.present(.library)])
    #expect(machine.caption().lines[0].text.contains("The camera is busy."))
    #expect(machine.take(.unavailable("No folder.")) == [.present(.camera)])
    #expect(machine.take(.unavailable("Still busy.")) == [.fail("Still busy.")])
  }

  // MARK: Taking

  @Test func takesPhotosAndMovies() {
    var machine = Self.machine(in: .live)
    #expect(machine.take(Self.key(" ")) == [.takePicture])
    #expect(machine.take(.terminal(.key(9))) == [.setMode(.video)])
    #expect(machine.take(Self.key(" ")) == [.startMovie])
    _ = machine.take(.picker(.recording))
    _ = machine.take(.recorded(.seconds(75), byteCount: 2_500_000))
    #expect(machine.caption().lines[0].text == "[simulated] ● 1:15 · 2.5 MB")
    for other: CameraMachine.Event in [.terminal(.key(9)), Self.key("c"), Self.key("l")] {
      #expect(machine.take(other) == [])
    }
    #expect(machine.take(Self.key(" ")) == [.stopMovie])
  }

  @Test(arguments: [State.capturing, .switchingCamera, .finishingMovie, .presenting, .opening])
  func takesNothingMeanwhile(state: State) {
    var machine = Self.machine(in: .live, state)
    for character in " \tcl\r" { #expect(machine.take(Self.key(character)) == []) }
  }

  // MARK: Between the screens

  @Test func goesToTheLibraryOnceTheCameraIsClosed() {
    var machine = Self.machine(in: .live)
    #expect(machine.take(Self.key("l")) == [.cancel])
    #expect(machine.take(Self.key(" ")) == [])
    #expect(machine.take(.cancelled) == [.present(.library)] && machine.source == .library)
    _ = machine.take(.picker(.choosing))
    _ = machine.take(.counted(3))
    _ = machine.take(.terminal(.motion(.right)))
    #expect(machine.take(.terminal(.key(13))) == [.choose(1)])
    #expect(machine.take(.terminal(.escape)) == [.cancel])
    #expect(machine.take(.cancelled) == [.present(.camera)])
  }

  @Test func choosesNothingOfAnEmptyLibrary() {
    var machine = Self.machine(cameras: 0, in: .choosing)
    #expect(machine.take(.terminal(.key(13))) == [])
    _ = machine.take(.counted(0))
    #expect(machine.take(.terminal(.key(13))) == [])
    #expect(machine.caption().lines[0].text.contains("no pictures"))
  }

  @Test func editsWithKeys() {
    var machine = Self.machine(in: .editing)
    #expect(machine.take(.terminal(.motion(.left))) == [.edit(.pan(.left))])
    #expect(machine.take(Self.key("+")) == [.edit(.zoom(isIn: true))])
    #expect(machine.take(Self.key("-")) == [.edit(.zoom(isIn: false))])
    #expect(machine.take(Self.key("r")) == [.edit(.rotate)])
    #expect(machine.take(Self.key("a")) == [.edit(.toggleSquare)])
    #expect(machine.take(Self.key("0")) == [.edit(.reset)])
    #expect(machine.take(.terminal(.motion(.home))) == [])
    #expect(machine.take(.terminal(.escape)) == [.retake])
    #expect(machine.take(.terminal(.key(13))) == [.useEdit])
  }

  @Test func showsWhatWasPickedAndBeginsAnew() {
    var machine = Self.machine(in: .live, .ended(.picked))
    #expect(machine.take(.picked) == [.save] && machine.picture == .result(isMovie: false))
    #expect(machine.take(Self.key("n")) == [] && Self.keys(machine) == "q quit")
    #expect(machine.take(.saved(path: "/a/b.jpg", movie: nil)) == [])
    #expect(machine.caption().lines[0].text.contains("/a/b.jpg"))
    #expect(machine.take(Self.key("n")) == [.play(.hold), .present(.camera)])
    #expect(machine.result == nil)
  }

  @Test func playsAMovie() {
    var machine = Self.machine(in: .ended(.picked))
    _ = machine.take(.picked)
    let actions = machine.take(.saved(path: "/a/b.mov", movie: .seconds(9)))
    #expect(actions == [.play(.run(from: .zero, number: 1))])
    _ = machine.take(.played(.seconds(3), number: 1))
    #expect(machine.caption().lines[0].text.contains("▶ 0:03 / 0:09"))
    #expect(machine.take(Self.key(" ")) == [.play(.hold)])
    #expect(machine.take(.terminal(.motion(.right))) == [.play(.show(at: .seconds(5)))])
  }

  @Test func goesBackWhereAPictureCannotBeKept() {
    var machine = Self.machine(in: .ended(.picked))
    _ = machine.take(.picked)
    #expect(machine.take(.lost("The disk is full.")) == [.present(.camera)])
    #expect(machine.result == nil && machine.message == "The disk is full.")
    _ = machine.take(.picker(.live))
    _ = machine.take(Self.key("x"))
    #expect(machine.message == nil)
  }

  // MARK: The end

  @Test(arguments: [TerminalEvent.stop, .key(3), .key(UInt8(ascii: "q")), .closed(errno: 5)])
  func quits(event: TerminalEvent) {
    for state in [State.idle, .presenting, .live, .choosing, .editing, .capturing] {
      var machine = Self.machine(in: state)
      #expect(machine.take(.terminal(event)) == [.quit])
    }
  }

  @Test func keepsTheMovieThatIsRecordedAtTheEnd() {
    var machine = Self.machine(in: .recording)
    #expect(machine.take(.terminal(.stop)) == [.stopMovie])
    _ = machine.take(.picker(.finishingMovie))
    #expect(machine.take(.picked) == [.save])
    #expect(machine.take(.saved(path: "/a/b.mov", movie: .seconds(1))) == [.quit])
  }

  @Test func waitsForNothingTheSecondTime() {
    var machine = Self.machine(in: .recording)
    #expect(machine.take(.terminal(.stop)) == [.stopMovie])
    #expect(machine.take(.terminal(.stop)) == [.quit])
  }

  @Test func failsWhereTheLastMovieIsLost() {
    var machine = Self.machine(in: .recording)
    _ = machine.take(.terminal(.stop))
    _ = machine.take(.picked)
    #expect(machine.take(.lost("No room.")) == [.fail("No room.")])
    var refused = Self.machine(in: .recording)
    _ = refused.take(.terminal(.stop))
    #expect(refused.take(.refused("It has no frame.")) == [.quit])
  }
}
