public import CaptureKitLibrary
public import TerminalPicture

/// What the program shows, and what a key or the picker's news make it do. Does nothing itself.
public struct CameraMachine: Sendable {
  /// Where pictures and movies come from.
  public enum Source: Hashable, Sendable { case camera, library }

  /// What has happened.
  public enum Event: Sendable {
    /// A key, or that the program is to end.
    case terminal(TerminalEvent)
    /// The picker shows something else.
    case picker(ImagePickerController.State)
    /// The movie that is being recorded has come so far.
    case recorded(Duration, byteCount: Int64)
    /// Another camera is used.
    case switched(ImagePickerController.CameraDevice)
    /// The library has so many pictures and movies.
    case counted(Int)
    /// Something was picked.
    case picked
    /// Nothing was picked.
    case cancelled
    /// The picker could not be presented, or the camera has failed for good.
    case unavailable(String)
    /// What was picked is there now; with how long it is, of a movie.
    case saved(path: String, movie: Duration?)
    /// Something was refused; everything stays.
    case refused(String)
    /// What was picked could not be kept, or played.
    case lost(String)
    /// A frame of the movie is shown.
    case played(Duration, number: Int)
    /// The movie is at its end.
    case playedAll(number: Int)
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    case present(Source)
    /// Ends the presentation without anything.
    case cancel
    case setMode(ImagePickerController.CameraCaptureMode)
    case switchCamera(ImagePickerController.CameraDevice)
    case takePicture
    case startMovie
    case stopMovie
    case choose(Int)
    case edit(EditGesture)
    case useEdit
    case retake
    /// Keeps what was picked.
    case save
    case play(Playback.Command)
    case quit
    /// Ends the program; with what failed.
    case fail(String)
  }

  /// What was picked, and is shown.
  public struct Result: Hashable, Sendable {
    /// Where it is; nil while it is being saved.
    public internal(set) var path: String?
    /// How far it is played, of a movie.
    public internal(set) var playback: Playback?
  }

  /// What the machine has.
  public struct Equipment: Hashable, Sendable {
    /// How many cameras.
    public var cameraCount: Int
    /// Whether they are simulated.
    public var isSimulated: Bool
    /// Whether there is a library.
    public var hasLibrary: Bool

    /// What there is.
    public init(cameraCount: Int, isSimulated: Bool = false, hasLibrary: Bool) {
      self.cameraCount = cameraCount
      self.isSimulated = isSimulated
      self.hasLibrary = hasLibrary
    }
  }

  /// What there is.
  public internal(set) var equipment: Equipment
  /// Where pictures and movies come from now.
  public internal(set) var source: Source
  /// What the picker shows.
  public internal(set) var picker = ImagePickerController.State.idle
  /// What the camera takes.
  public internal(set) var mode = ImagePickerController.CameraCaptureMode.photo
  /// The side of the camera.
  public internal(set) var side: ImagePickerController.CameraDevice
  /// The library's page.
  public internal(set) var grid = LibraryGrid()
  /// How far the movie is that is being recorded; nil where none is.
  public internal(set) var recording: (duration: Duration, byteCount: Int64)?
  /// What was picked and is shown; nil until something is.
  public internal(set) var result: Result?
  /// What went wrong last, until the next key.
  public internal(set) var message: String?
  /// What is presented once the picker has ended.
  var next: Source?
  var isQuitting = false

  /// A program that begins with the camera, where there is one.
  public init(_ equipment: Equipment, side: ImagePickerController.CameraDevice) {
    self.equipment = equipment
    self.side = side
    source = equipment.cameraCount == 0 ? .library : .camera
    if equipment.cameraCount == 0 { message = "There is no camera: choose from the library." }
  }

  /// Whether there is a camera, and so a choice of photo or movie.
  public var hasCamera: Bool { equipment.cameraCount > 0 }

  /// What begins.
  public func begin() -> [Action] {
    guard hasCamera || equipment.hasLibrary else {
      return [
        .fail(
          "There is neither a camera nor a library: plug a camera in, or name a folder with "
            + "--folder.")
      ]
    }
    return [.present(source)]
  }

  /// Learns what pictures are to be like.
  public mutating func fit(_ canvas: PictureCanvas) { grid.fit(canvas) }

  /// Takes what has happened.
  public mutating func take(_ event: Event) -> [Action] {
    switch event {
    case .terminal(let event): return take(event)
    case .picker(let state):
      picker = state
      if state != .recording { recording = nil }
    case .recorded(let duration, let byteCount):
      if picker == .recording { recording = (duration, byteCount) }
    case .switched(let side): self.side = side
    case .counted(let count): grid.setCount(count)
    case .picked:
      result = Result()
      return [.save]
    case .cancelled: return presentNext()
    case .unavailable(let sentence): return giveUpSource(sentence)
    case .saved(let path, let duration): return showResult(path, duration)
    case .refused(let sentence):
      message = sentence
      if isQuitting { return [.quit] }
    case .lost(let sentence): return lose(sentence)
    case .played(let time, let number): result?.playback?.reach(time, number: number)
    case .playedAll(let number): result?.playback?.end(number: number)
    }
    return []
  }

  private mutating func presentNext() -> [Action] {
    guard let next, !isQuitting else { return isQuitting ? [.quit] : [.present(source)] }
    self.next = nil
    source = next
    return [.present(next)]
  }

  /// The other source in place of one that is not there, if that may be.
  private mutating func giveUpSource(_ sentence: String) -> [Action] {
    next = nil
    message = sentence
    if isQuitting { return [.quit] }
    switch source {
    case .camera where equipment.hasLibrary: source = .library
    case .library where hasCamera:
      equipment.hasLibrary = false
      source = .camera
    default: return [.fail(sentence)]
    }
    return [.present(source)]
  }

  private mutating func showResult(_ path: String, _ duration: Duration?) -> [Action] {
    result?.path = path
    guard !isQuitting else { return [.quit] }
    guard let duration else { return [] }
    var playback = Playback(duration: duration)
    let command = playback.toggle()
    result?.playback = playback
    return [.play(command)]
  }

  /// Back to where the picture came from, which says what went wrong.
  private mutating func lose(_ sentence: String) -> [Action] {
    message = sentence
    if isQuitting { return [.fail(sentence)] }
    guard result?.path == nil else { return [] }
    result = nil
    return [.present(source)]
  }
}
