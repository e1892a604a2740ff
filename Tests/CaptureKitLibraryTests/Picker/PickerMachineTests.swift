import CaptureKitLinux
import Foundation
import Imaging
import TestSupport
import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct PickerMachineTests {
  /// A machine in each of its phases.
  enum Situation: CaseIterable {
    case idle, presentingCamera, presentingLibrary, live, interrupted, switching, capturing
    case recording, finishing, choosing, opening, editingPhoto, editingChoice, applying, ended

    func machine() throws -> PickerMachine {
      var machine = PickerMachine()
      if self == .idle { return machine }
      let isLibrary = [.presentingLibrary, .choosing, .opening, .editingChoice].contains(self)
      _ = try machine.present(
        PickerMachine.Setup(
          source: isLibrary ? .photoLibrary : .camera, mediaTypes: .imagesAndMovies,
          allowsEditing: true))
      if self == .presentingCamera || self == .presentingLibrary { return machine }
      _ = machine.opened()
      switch self {
      case .interrupted: _ = machine.camera(is: .noSignal)
      case .switching: _ = try machine.switchCamera(to: .front)
      case .capturing: _ = try machine.takePicture()
      case .recording: _ = try machine.startMovie(at: Call.movie)
      case .finishing:
        _ = try machine.startMovie(at: Call.movie)
        _ = try machine.stopMovie()
      case .opening: _ = try machine.choose(.image)
      case .editingPhoto, .applying:
        _ = try machine.takePicture()
        _ = machine.took(try Call.media(), shot: machine.shots)
        if self == .applying { _ = try machine.finishEditing() }
      case .editingChoice:
        _ = try machine.choose(.image)
        _ = machine.chose(try Call.media())
      case .ended: _ = try machine.cancel()
      default: break
      }
      return machine
    }
  }

  /// What a user asks for, and where it is granted.
  enum Call: CaseIterable {
    case present, cancel, takePicture, startMovie, stopMovie, switchCamera, retune, choose, edit
    case finishEditing, retake

    static let movie = URL(filePath: "/nowhere/movie.mov")

    static func media() throws -> PickedMedia {
      PickedMedia(picture: try PlacedPixels.image(.up, .pixels))
    }

    var situations: Set<Situation> {
      switch self {
      case .present: [.idle, .ended]
      case .cancel: Set(Situation.allCases).subtracting([.idle, .ended])
      case .takePicture, .startMovie: [.live]
      case .stopMovie: [.recording]
      case .switchCamera: [.live, .interrupted]
      // Nothing is tuned where there is no camera: it is kept for the next one.
      case .retune:
        [
          .idle, .ended, .live, .interrupted, .presentingLibrary, .choosing, .opening,
          .editingChoice,
        ]
      case .choose: [.choosing]
      case .edit, .finishEditing, .retake: [.editingPhoto, .editingChoice]
      }
    }

    func make(on machine: inout PickerMachine) throws -> [PickerMachine.Action] {
      switch self {
      case .present: try machine.present(PickerMachine.Setup())
      case .cancel: try machine.cancel()
      case .takePicture: try machine.takePicture()
      case .startMovie: try machine.startMovie(at: Self.movie)
      case .stopMovie: try machine.stopMovie()
      case .switchCamera: try machine.switchCamera(to: .front)
      case .retune: try machine.retune()
      case .choose: try machine.choose(.image)
      case .edit: try machine.edit(ImageEditor(imageSize: PlacedPixels.size))
      case .finishEditing: try machine.finishEditing()
      case .retake: try machine.retake()
      }
    }
  }

  /// What comes late, or was not asked for.
  enum Report: CaseIterable {
    case opened, failedToOpen, took, failedToTake, switched, failedToSwitch, chose, failedToChoose
    case edited, failedToEdit, cameraFailed

    var situations: Set<Situation> {
      switch self {
      case .opened, .failedToOpen: [.presentingCamera, .presentingLibrary]
      case .took, .failedToTake: [.capturing]
      case .switched, .failedToSwitch: [.switching]
      case .chose, .failedToChoose: [.opening]
      case .edited, .failedToEdit: [.applying]
      case .cameraFailed: [.live, .interrupted]
      }
    }

    func make(on machine: inout PickerMachine) throws -> [PickerMachine.Action] {
      let error = LibraryError(.cannotRead, "It cannot be read.")
      switch self {
      case .opened: return machine.opened()
      case .failedToOpen: return machine.failedToOpen(error)
      case .took: return machine.took(try Call.media(), shot: machine.shots)
      case .failedToTake: return machine.failedToTake(error, shot: machine.shots)
      case .switched: return machine.switchedCamera(because: nil)
      case .failedToSwitch: return machine.switchedCamera(because: error)
      case .chose: return machine.chose(try Call.media())
      case .failedToChoose: return machine.failedToChoose(error)
      case .edited: return machine.edited(try Call.media())
      case .failedToEdit: return machine.failedToEdit(error)
      case .cameraFailed: return machine.cameraFailed(error)
      }
    }
  }

  @Test(arguments: Situation.allCases, Call.allCases)
  func refusesWhatIsNotTheTime(_ situation: Situation, _ call: Call) throws {
    var machine = try situation.machine()
    let state = machine.state
    do {
      _ = try call.make(on: &machine)
      #expect(call.situations.contains(situation))
    } catch let error as LibraryError {
      #expect(!call.situations.contains(situation), "\(error)")
      #expect(machine.state == state)
      let codes: [LibraryError.Code] = [
        .notPresented, .notNow, .alreadyPresented, .sourceUnavailable,
      ]
      #expect(codes.contains(error.code))
      #expect((error.code == .notPresented) == !state.isPresented)
    }
  }

  @Test(arguments: Situation.allCases, Report.allCases)
  func whatComesLateChangesNothing(_ situation: Situation, _ report: Report) throws {
    var machine = try situation.machine()
    let state = machine.state
    let actions = try report.make(on: &machine)

    if report.situations.contains(situation) {
      #expect(machine.state != state)
    } else {
      #expect(machine.state == state)
      #expect(actions.isEmpty)
    }
  }

  @Test(arguments: Situation.allCases)
  func aCancelledPresentationClosesBeforeItEnds(_ situation: Situation) throws {
    guard Call.cancel.situations.contains(situation) else { return }
    var machine = try situation.machine()
    let actions = try machine.cancel()

    #expect(machine.state == .ended(.cancelled))
    #expect(
      actions.map(\.name)
        == (situation == .recording ? ["stopMovie"] : []) + ["close", "finish"])
  }

  @Test func aMovieThatNobodyWantsIsRemoved() throws {
    for situation in [Situation.recording, .finishing] {
      var machine = try situation.machine()
      let number = machine.number
      _ = try machine.cancel()
      _ = try machine.present(PickerMachine.Setup(source: .camera))
      let actions = machine.movieEnded(at: Call.movie, .success(nil), of: number)

      #expect(actions.map(\.name) == ["discard"])
      #expect(machine.state == .presenting)
    }
  }

  @Test func aMovieIsPickedWhateverEndedIt() throws {
    let full = LibraryError(.diskFull, "The disk is full.")
    for (situation, error) in [(Situation.recording, full), (.finishing, nil)] {
      var machine = try situation.machine()
      // Its camera may have gone, too.
      if error != nil { _ = machine.cameraFailed(full) }
      let actions = machine.movieEnded(at: Call.movie, .success(error), of: machine.number)

      #expect(machine.state == .ended(.picked))
      #expect(actions.map(\.name) == ["close", "finish"])
      guard case .finish(.picked, let media?) = actions.last else {
        Issue.record("nothing is picked")
        return
      }
      #expect(media.mediaURL == Call.movie)
      #expect((media.recordingError == nil) == (error == nil))
    }
  }

  @Test func aMovieThatFailsLeadsBackToTheCamera() throws {
    let error = LibraryError(.cannotWrite, "It cannot be written.")
    var machine = try Situation.recording.machine()
    var actions = machine.movieEnded(at: Call.movie, .failure(error), of: machine.number)
    #expect(machine.state == .live)
    #expect(actions.map(\.name) == ["discard", "note"])

    machine = try Situation.recording.machine()
    _ = machine.cameraFailed(error)
    actions = machine.movieEnded(at: Call.movie, .failure(error), of: machine.number)
    #expect(machine.state == .ended(.failed(error)))
    #expect(actions.map(\.name) == ["discard", "note", "close", "finish"])
  }

  @Test func aCameraThatFailsEndsWhatNeedsIt() throws {
    let error = LibraryError(.sourceUnavailable, "The camera is broken.")
    var machine = try Situation.capturing.machine()
    _ = machine.cameraFailed(error)
    #expect(machine.state == .capturing)
    _ = machine.failedToTake(error, shot: machine.shots)
    #expect(machine.state == .ended(.failed(error)))

    machine = try Situation.editingPhoto.machine()
    _ = machine.cameraFailed(error)
    #expect(machine.state == .editing)
    #expect(try machine.retake().map(\.name) == ["close", "finish"])
    #expect(machine.state == .ended(.failed(error)))

    machine = try Situation.switching.machine()
    _ = machine.cameraFailed(error)
    _ = machine.switchedCamera(because: nil)
    #expect(machine.state == .live)
  }

  @Test func offersOnlyWhatItWasPresentedFor() throws {
    var machine = PickerMachine()
    _ = try machine.present(PickerMachine.Setup(source: .camera, mediaTypes: [.movie]))
    _ = machine.opened()
    let error = #expect(throws: LibraryError.self) { try machine.takePicture() }
    #expect(error?.code == .unsupportedMediaType)
    #expect(machine.state == .live)

    machine = PickerMachine()
    _ = try machine.present(PickerMachine.Setup(source: .photoLibrary, mediaTypes: [.image]))
    _ = machine.opened()
    let other = #expect(throws: LibraryError.self) { try machine.choose(.movie) }
    #expect(other?.code == .unsupportedMediaType)
  }

  @Test func refusesAnEditorOfAnotherPicture() throws {
    var machine = try Situation.editingPhoto.machine()
    let error = #expect(throws: LibraryError.self) {
      try machine.edit(ImageEditor(imageSize: PixelSize(width: 1, height: 1)))
    }
    #expect(error?.code == .cannotEdit)
    #expect(machine.editor?.imageSize == PlacedPixels.size)
  }

  /// Whoever waits is answered once, and each presentation ends once and after its camera is closed,
  /// whatever happens in whatever order.
  @Test(arguments: 0..<20)
  func endsOnceWhateverHappens(_ seed: Int) throws {
    var (machine, numbers) = (PickerMachine(), StoredSample.Generator(state: UInt64(seed)))
    var (presented, finished, closed) = (0, 0, 0)
    var movies: [(url: URL, number: Int)] = []
    var (started, gone) = (0, 0)
    for step in 0..<700 {
      var actions: [PickerMachine.Action] = []
      switch numbers.below(3) {
      case 0:
        let call = Call.allCases[numbers.below(Call.allCases.count)]
        if call == .startMovie {
          let url = URL(filePath: "/nowhere/\(step).mov")
          actions = (try? machine.startMovie(at: url)) ?? []
          if !actions.isEmpty { movies.append((url, machine.number)) }
        } else if call == .present {
          let setup = PickerMachine.Setup(
            source: numbers.below(3) == 0 ? .photoLibrary : .camera,
            mediaTypes: .imagesAndMovies, allowsEditing: numbers.below(2) == 0)
          actions = (try? machine.present(setup)) ?? []
        } else if call != .cancel || numbers.below(6) == 0 {
          actions = (try? call.make(on: &machine)) ?? []
        }
      case 1 where !movies.isEmpty:
        let movie = movies.remove(at: numbers.below(movies.count))
        let error = LibraryError(.diskFull, "The disk is full.")
        actions = machine.movieEnded(
          at: movie.url, numbers.below(2) == 0 ? .success(nil) : .failure(error), of: movie.number)
        gone += 1
        let isPicked = actions.contains {
          if case .finish(.picked, _?) = $0 { true } else { false }
        }
        #expect(isPicked != actions.contains { $0.name == "discard" })
      default:
        let report = Report.allCases[numbers.below(Report.allCases.count)]
        if report != .cameraFailed || numbers.below(8) == 0 {
          actions = try report.make(on: &machine)
        }
      }
      for name in actions.map(\.name) {
        switch name {
        case "open": presented += 1
        case "startMovie": started += 1
        case "close": closed += 1
        case "finish":
          finished += 1
          #expect(closed == finished)
        default: break
        }
      }
      #expect(presented - finished == (machine.state.isPresented ? 1 : 0))
    }
    #expect(presented > 5)
    #expect(started == gone + movies.count)
  }

  @Test func aPictureOfACameraThatIsGoneIsNotWaitedFor() throws {
    var machine = try Situation.capturing.machine()
    #expect(machine.camera(is: .noSignal).isEmpty)
    #expect(machine.state == .capturing)
    #expect(machine.camera(is: .videoDeviceDisconnected).map(\.name) == ["note"])
    #expect(machine.state == .interrupted(.videoDeviceDisconnected))

    // The camera is back, and the old picture comes while the next one is taken.
    _ = machine.camera(is: nil)
    _ = try machine.takePicture()
    #expect(machine.took(try Call.media(), shot: 1).isEmpty)
    #expect(machine.state == .capturing)
    _ = machine.took(try Call.media(), shot: 2)
    #expect(machine.state == .editing)
  }

  @Test func aMovieEndsWhereItsCameraIsUnplugged() throws {
    var machine = try Situation.recording.machine()
    #expect(machine.camera(is: .noSignal).isEmpty)
    #expect(machine.camera(is: .videoDeviceDisconnected).map(\.name) == ["stopMovie"])
    #expect(machine.state == .finishingMovie)
    let actions = machine.movieEnded(at: Call.movie, .success(nil), of: machine.number)
    guard case .finish(.picked, let media?) = actions.last else {
      Issue.record("nothing is picked")
      return
    }
    #expect((media.recordingError as? CaptureError)?.code == .disconnected)
  }

  @Test func whoWaitsIsAnsweredWhenItEnds() async throws {
    for (situation, call) in [(Situation.live, Call.takePicture), (.recording, .stopMovie)] {
      var machine = try situation.machine()
      let waiter = PickerMachine.Waiter()
      _ = call == .takePicture ? try machine.takePicture(waiter) : try machine.stopMovie(waiter)
      let actions = try machine.cancel()
      guard case .answer(let asked, let error) = actions.last else {
        Issue.record("nobody is answered")
        return
      }
      #expect(asked === waiter)
      #expect((error as? LibraryError)?.code == .notPresented)
    }
  }
}

extension PickerMachine.Action {
  var name: String { String("\(self)".prefix { $0.isLetter }) }
}
