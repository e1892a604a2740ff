public import CaptureKitLinux

extension ImagePickerController {
  /// What a front end shows now.
  public enum State: Hashable, Sendable {
    /// Nothing: the picker has not been presented.
    case idle
    /// That something is about to come: the camera starts, or the library is opened.
    case presenting
    /// The camera's preview, and what takes a picture or starts a movie.
    case live
    /// That the camera sends nothing, and why; the preview comes back by itself.
    case interrupted(CaptureSession.InterruptionReason)
    /// The preview; another camera is being started.
    case switchingCamera
    /// The preview; a picture is being taken.
    case capturing
    /// The preview, and what stops the movie that is being recorded.
    case recording
    /// That the movie's file is being finished.
    case finishingMovie
    /// The library's pictures and movies: see ``choices(in:range:)``.
    case choosing
    /// That the chosen picture or movie is being read.
    case opening
    /// What ``ImagePickerController/editor`` says, with what confirms it and what takes another
    /// picture.
    case editing
    /// That the edited picture is being made.
    case applyingEdits
    /// Nothing any more: it has ended in this way.
    case ended(Ending)

    /// Whether the picker is presented, or about to be.
    public var isPresented: Bool {
      switch self {
      case .idle, .ended: false
      default: true
      }
    }
  }

  /// How a presentation has ended.
  public enum Ending: Hashable, Sendable {
    /// Something was picked.
    case picked
    /// The user did not want anything.
    case cancelled
    /// Nothing can be picked: the camera has failed for good, for one.
    case failed(LibraryError)
  }

  /// What a presentation has come to; a failure is thrown instead.
  public enum Outcome: Sendable {
    /// This was picked.
    case picked(PickedMedia)
    /// The user did not want anything, the task was cancelled, or the picker was let go of.
    case cancelled

    /// What was picked; nil where nothing was.
    public var media: PickedMedia? {
      if case .picked(let media) = self { media } else { nil }
    }
  }
}
