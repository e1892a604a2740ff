import CaptureKitLinux
import Foundation
import Imaging

/// What happens next in a picker; pure.
///
/// What the user asks for may be refused and throws then, having changed nothing. What is reported,
/// by the camera, the movie's writer or the library, never is; what belongs to an earlier
/// presentation is told by its number.
struct PickerMachine {
  /// What a presentation is to be like.
  struct Setup: Sendable {
    var source = ImagePickerController.SourceType.photoLibrary
    var mediaTypes: Set<PickerMediaType> = [.image]
    var allowsEditing = false
    var aspectRatio: Double? = 1
    var zoomLimit = ImageEditor.standardZoomLimit
  }

  /// What is to be done, in this order.
  enum Action {
    case open(Setup)
    /// Tells who waits that it is presented.
    case tellPresented
    case takePicture(shot: Int)
    case startMovie(URL)
    case stopMovie
    case switchCamera(ImagePickerController.CameraDevice)
    case retune
    case apply(ImageEditor, to: PickedMedia)
    /// Removes a movie's file that nobody wants.
    case discard(URL)
    case close
    /// Keeps what went wrong for whoever asks.
    case note(any Error)
    /// Tells who waits.
    case answer(Waiter, (any Error)?)
    case finish(ImagePickerController.Ending, PickedMedia?)
  }

  enum Phase {
    case idle
    case presenting
    case live
    case switchingCamera
    case capturing(shot: Int)
    case recording(URL)
    case finishingMovie(URL)
    case choosing
    case opening
    case editing(PickedMedia, ImageEditor)
    case applyingEdits(PickedMedia, ImageEditor)
    case ended(ImagePickerController.Ending)
  }

  /// Counts presentations.
  private(set) var number = 0
  private(set) var setup = Setup()
  /// Counts pictures that were asked for.
  var shots = 0
  var phase = Phase.idle
  /// Why the camera sends nothing for the moment.
  var interruption: CaptureSession.InterruptionReason?
  /// Why the movie is ended before anybody asked.
  var movieInterruption: CaptureError?
  /// Why the camera has ended, where that does not end the presentation at once.
  var cameraFailure: LibraryError?
  /// Who waits for what is under way to come to something.
  var waiter: Waiter?

  /// Is told once that all went well, or why not.
  typealias Waiter = PickerPromise<(any Error)?>
}

// MARK: - What a front end sees

extension PickerMachine {
  var state: ImagePickerController.State {
    switch phase {
    case .idle: .idle
    case .presenting: .presenting
    case .live: interruption.map { .interrupted($0) } ?? .live
    case .switchingCamera: .switchingCamera
    case .capturing: .capturing
    case .recording: .recording
    case .finishingMovie: .finishingMovie
    case .choosing: .choosing
    case .opening: .opening
    case .editing: .editing
    case .applyingEdits: .applyingEdits
    case .ended(let ending): .ended(ending)
    }
  }

  var editor: ImageEditor? {
    switch phase {
    case .editing(_, let editor), .applyingEdits(_, let editor): editor
    default: nil
    }
  }

  /// Whether the camera can be switched by a setter, rather than chosen for the next presentation.
  var isShowingCamera: Bool { setup.source == .camera && state.isPresented }

  /// What is being edited.
  var draft: PickedMedia? {
    switch phase {
    case .editing(let draft, _), .applyingEdits(let draft, _): draft
    default: nil
    }
  }
}

// MARK: - The presentation

extension PickerMachine {
  mutating func present(_ setup: Setup) throws(LibraryError) -> [Action] {
    guard !state.isPresented else {
      throw LibraryError(
        .alreadyPresented, "The picker is presented already: cancel it, or wait for its end.")
    }
    number += 1
    self.setup = setup
    (interruption, cameraFailure) = (nil, nil)
    phase = .presenting
    return [.open(setup)]
  }

  mutating func cancel() throws(LibraryError) -> [Action] {
    guard state.isPresented else { throw notPresented }
    return end(.cancelled)
  }

  /// The camera runs, or the library is open.
  mutating func opened() -> [Action] {
    guard case .presenting = phase else { return [] }
    phase = setup.source == .camera ? .live : .choosing
    return [.tellPresented]
  }

  mutating func failedToOpen(_ error: LibraryError) -> [Action] {
    guard case .presenting = phase else { return [] }
    return end(.failed(error))
  }

  /// Ends a presentation: a movie that is being recorded is stopped, and thrown away when it comes.
  mutating func end(
    _ ending: ImagePickerController.Ending, with media: PickedMedia? = nil
  ) -> [Action] {
    var actions: [Action] = []
    if case .recording = phase { actions.append(.stopMovie) }
    phase = .ended(ending)
    let answer =
      switch ending {
      case .picked: answer(nil)
      case .cancelled: answer(LibraryError(.notPresented, "The picker was cancelled."))
      case .failed(let error): answer(error)
      }
    return actions + [.close, .finish(ending, media)] + answer
  }

  /// Tells who waits, if anybody does.
  mutating func answer(_ error: (any Error)?) -> [Action] {
    defer { waiter = nil }
    return waiter.map { [.answer($0, error)] } ?? []
  }

  /// Something was taken or chosen: it is edited where it can be, else it is what is picked.
  mutating func picked(_ media: PickedMedia) -> [Action] {
    guard setup.allowsEditing, let picture = media.originalImage else {
      return end(.picked, with: media)
    }
    phase = .editing(
      media,
      ImageEditor(
        imageSize: picture.size, aspectRatio: setup.aspectRatio, zoomLimit: setup.zoomLimit))
    return answer(nil)
  }
}

// MARK: - The library

extension PickerMachine {
  /// - Returns: Nothing is to be done by the machine's owner but to read the asset.
  mutating func choose(
    _ mediaType: PickerMediaType
  ) throws(LibraryError) -> [Action] {
    guard case .choosing = phase else { throw refusal("choose anything from the library") }
    guard setup.mediaTypes.contains(mediaType) else {
      throw LibraryError(
        .unsupportedMediaType, "The picker does not offer \(mediaType): choose something else.")
    }
    phase = .opening
    return []
  }

  /// The chosen asset was read.
  mutating func chose(_ media: PickedMedia) -> [Action] {
    guard case .opening = phase else { return [] }
    return picked(media)
  }

  /// The chosen asset cannot be used: the user chooses another.
  mutating func failedToChoose(_ error: any Error) -> [Action] {
    guard case .opening = phase else { return [] }
    phase = .choosing
    return [.note(error)]
  }
}

// MARK: - Editing

extension PickerMachine {
  mutating func edit(_ editor: ImageEditor) throws(LibraryError) -> [Action] {
    guard case .editing(let media, let old) = phase else { throw refusal("edit a picture") }
    guard editor.imageSize == old.imageSize else {
      throw LibraryError(
        .cannotEdit,
        "The picture has \(old.imageSize) pixels, and the editor was made for "
          + "\(editor.imageSize): change the picker's own.")
    }
    phase = .editing(media, editor)
    return []
  }

  mutating func finishEditing(_ waiter: Waiter? = nil) throws(LibraryError) -> [Action] {
    guard case .editing(let media, let editor) = phase else { throw refusal("finish editing") }
    self.waiter = waiter
    phase = .applyingEdits(media, editor)
    return [.apply(editor, to: media)]
  }

  mutating func edited(_ media: PickedMedia) -> [Action] {
    guard case .applyingEdits = phase else { return [] }
    return end(.picked, with: media)
  }

  /// The user changes something, takes another picture, or cancels.
  mutating func failedToEdit(_ error: any Error) -> [Action] {
    guard case .applyingEdits(let media, let editor) = phase else { return [] }
    phase = .editing(media, editor)
    return [.note(error)] + answer(error)
  }

  /// Back to the camera, or to the library.
  mutating func retake() throws(LibraryError) -> [Action] {
    guard case .editing = phase else { throw refusal("go back from editing") }
    if let cameraFailure { return end(.failed(cameraFailure)) }
    phase = setup.source == .camera ? .live : .choosing
    return []
  }
}

// MARK: - Refusals

extension PickerMachine {
  private var notPresented: LibraryError {
    LibraryError(.notPresented, "The picker is not presented: present it first.")
  }

  /// Why something cannot be done in this phase.
  func refusal(_ wish: String) -> LibraryError {
    guard state.isPresented else { return notPresented }
    return LibraryError(.notNow, "The picker cannot \(wish) now: it is \(words).")
  }

  private var words: String {
    switch phase {
    case .idle, .ended: "not presented"
    case .presenting: "being presented"
    case .live: interruption == nil ? "showing the camera" : "waiting for the camera"
    case .switchingCamera: "starting another camera"
    case .capturing: "taking a picture"
    case .recording: "recording a movie"
    case .finishingMovie: "finishing a movie"
    case .choosing: "showing the library"
    case .opening: "reading what was chosen"
    case .editing: "showing a picture that can be edited"
    case .applyingEdits: "making the edited picture"
    }
  }
}
