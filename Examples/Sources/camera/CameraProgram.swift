import CameraScreens
import CaptureKitLibrary
import CaptureKitLinux
import CaptureKitMovie
import ExampleSupport
import Foundation
import TerminalPicture

/// Does what the machine says, with the picker, the library and the terminal.
actor CameraProgram {
  /// What there is.
  struct Equipment {
    var cameras: [CaptureDevice]
    var isSimulated: Bool
    var library: PhotoLibrary?
  }

  /// What the program waits for.
  enum Event: Sendable {
    case terminal(TerminalEvent)
    case machine(CameraMachine.Event)
    case picked(PickedMedia)
    case saved(URL, MovieReader?)
    case libraryChanged
    case page(LibraryPage)
  }

  let screen: TerminalScreen
  let painter: Painter
  let picker = ImagePickerController()
  let library: PhotoLibrary?
  private let keeper: ResultKeeper
  private let events: AsyncStream<Event>
  let tell: AsyncStream<Event>.Continuation

  var machine: CameraMachine
  /// Where saved pictures and movies are.
  private(set) var savedPaths: [String] = []
  private var ending: Result<Void, Failure>?

  var canvas: PictureCanvas?
  var painted: PaintedScene?
  var scene: Painter.Scene = 0
  var page: LibraryPage?
  var pageLoading: Task<Void, Never>?
  var cropSheet: CropSheet?
  var media: PickedMedia?
  var player: MoviePlayer?
  private var movie: MovieReader?
  private var ticking: Task<Void, Never>?

  init(on screen: TerminalScreen, _ equipment: Equipment, output: URL?) {
    self.screen = screen
    painter = Painter(screen)
    library = equipment.library
    keeper = ResultKeeper(library: equipment.library, output: output)
    (events, tell) = AsyncStream.makeStream()
    let isFrontOnly = equipment.cameras.allSatisfy { $0.position == .front }
    machine = CameraMachine(
      .init(
        cameraCount: equipment.cameras.count, isSimulated: equipment.isSimulated,
        hasLibrary: equipment.library != nil),
      side: isFrontOnly ? .front : .rear)
    picker.library = equipment.library
    picker.mediaTypes = [.image, .movie]
    picker.allowsEditing = true
    picker.editingAspectRatio = nil
    picker.videoQuality = .high
  }

  /// Runs until the user has enough.
  ///
  /// - Throws: A `Failure`.
  func run() async throws {
    // Before the terminal is taken: a machine that has nothing says so on the main screen.
    let first = machine.begin()
    perform(first)
    try ending?.get()
    do {
      try screen.open { [tell] in tell.yield(.terminal($0)) }
    } catch {
      throw Failure(.inputOutput, "\(error)")
    }
    let followers = follow()
    defer { for follower in followers { follower.cancel() } }
    for await event in events {
      take(event)
      if let ending { return try ending.get() }
    }
  }

  /// Closes the camera; a movie that nobody wants any more is thrown away. Waits some seconds at
  /// most.
  func end() async {
    guard picker.state.isPresented else { return }
    picker.cancel()
    let states = picker.states
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await state in states where !state.isPresented { return } }
      group.addTask { try? await Task.sleep(for: .seconds(3)) }
      await group.next()
      group.cancelAll()
    }
  }

  private func follow() -> [Task<Void, Never>] {
    let states = Task { [picker, tell] in
      for await state in picker.states { tell.yield(.machine(.picker(state))) }
    }
    let changes = Task { [library, tell] in
      guard let library else { return }
      for await _ in library.changes { tell.yield(.libraryChanged) }
    }
    return [states, changes]
  }

  private func take(_ event: Event) {
    switch event {
    case .terminal(.canvas(let canvas)):
      self.canvas = canvas
      // It may be the same as before, after somebody else has drawn.
      painted = nil
      machine.fit(canvas)
    case .terminal(.closed(let number)):
      advance(.terminal(.stop))
      let failure = Failure(.inputOutput, "\(TerminalError.failed(errno: number))")
      if ending != nil { ending = .failure(failure) }
    case .terminal(let event): advance(.terminal(event))
    case .machine(let event): advance(event)
    case .picked(let media):
      self.media = media
      advance(.picked)
    case .saved(let url, let movie):
      self.movie = movie
      savedPaths.append(url.path)
      advance(.saved(path: url.path, movie: movie?.duration))
      if let error = media?.recordingError { advance(.refused("\(error)")) }
    case .libraryChanged: loadPage(anew: true)
    case .page(let page): if page.range == machine.grid.page { self.page = page }
    }
    refresh()
  }

  private func advance(_ event: CameraMachine.Event) {
    let before = machine.picker
    let actions = machine.take(event)
    if before == .recording, machine.picker == .live, let error = picker.lastError {
      _ = machine.take(.refused("\(error)"))
    }
    // The scene first: what is done may be for it.
    refresh()
    perform(actions)
  }

  private func refresh() {
    paint()
    keepTicking(machine.picker == .recording)
  }

  private func keepTicking(_ isRecording: Bool) {
    guard isRecording != (ticking != nil) else { return }
    ticking?.cancel()
    ticking =
      isRecording
      ? Task { [picker, tell] in
        while (try? await Task.sleep(for: .milliseconds(200))) != nil {
          let duration = Duration.milliseconds(Int64(picker.recordedDuration * 1000))
          tell.yield(.machine(.recorded(duration, byteCount: picker.recordedFileSize)))
        }
      } : nil
  }
}

// MARK: - Actions

extension CameraProgram {
  private func perform(_ actions: [CameraMachine.Action]) {
    for action in actions { perform(action) }
  }

  private func perform(_ action: CameraMachine.Action) {
    switch action {
    case .present(let source): present(source)
    case .cancel: picker.cancel()
    case .setMode(let mode): picker.cameraCaptureMode = mode
    case .switchCamera(let side):
      attempt { [picker, tell] in
        try await picker.switchCamera(to: side)
        tell.yield(.machine(.switched(side)))
      }
    case .takePicture: attempt { [picker] in try await picker.capturePicture() }
    case .startMovie: attempt { [picker] in try picker.beginVideoCapture() }
    case .stopMovie: attempt { [picker] in try await picker.endVideoCapture() }
    case .choose(let index):
      guard let asset = page?.asset(at: index) else { return }
      attempt { [picker] in try await picker.select(asset) }
    case .edit(let gesture):
      guard let canvas, var editor = picker.editor else { return }
      gesture.apply(to: &editor, in: CropSheet.view(on: canvas).size)
      picker.editor = editor
    case .useEdit: attempt { [picker] in try await picker.applyEdits() }
    case .retake: picker.retake()
    case .save: save()
    case .play(let command): play(command)
    case .quit: ending = ending ?? .success(())
    case .fail(let sentence): ending = ending ?? .failure(Failure(.unavailable, sentence))
    }
  }

  private func present(_ source: CameraMachine.Source) {
    (media, movie, player, cropSheet) = (nil, nil, nil, nil)
    picker.sourceType = source == .camera ? .camera : .photoLibrary
    if source == .camera { picker.cameraDevice = machine.side }
    if source == .library { loadPage(anew: true) }
    picker.present { [tell] result in
      switch result {
      case .success(.picked(let media)): tell.yield(.picked(media))
      case .success(.cancelled): tell.yield(.machine(.cancelled))
      case .failure(let error): tell.yield(.machine(.unavailable("\(error)")))
      }
    }
  }

  /// Says what is refused.
  private func attempt(_ body: @escaping @Sendable () async throws -> Void) {
    Task { [tell] in
      do {
        try await body()
      } catch {
        tell.yield(.machine(.refused("\(error)")))
      }
    }
  }

  private func save() {
    guard let media else { return }
    Task { [keeper, tell] in
      do {
        let url = try await keeper.keep(media)
        tell.yield(.saved(url, media.mediaType == .movie ? try MovieReader(contentsOf: url) : nil))
      } catch {
        let sentence = (error as? Failure)?.sentence ?? "\(error)"
        tell.yield(.machine(.lost(sentence)))
      }
    }
  }

  private func play(_ command: Playback.Command) {
    if player == nil, let movie, let canvas {
      player = MoviePlayer(movie, painter, .init(scene: scene, canvas: canvas)) { [tell] in
        tell.yield(.machine($0))
      }
    }
    player?.obey(command)
  }
}
