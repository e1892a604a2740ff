import CaptureKitLinux
import Dispatch
import Foundation
import Synchronization

/// What stands between a picker's state machine and the camera, the library and whoever is told.
///
/// The machine decides under the lock; what it wants done is done by one task, in order, and what
/// takes its time is reported to it later.
final class PickerCore: Sendable {
  struct Settings: Sendable {
    var source = ImagePickerController.SourceType.photoLibrary
    var mediaTypes: [PickerMediaType] = [.image]
    var allowsEditing = false
    var editingAspectRatio: Double? = 1
    var zoomLimit = ImageEditor.standardZoomLimit
    var side: ImagePickerController.CameraDevice?
    var flash = ImagePickerController.CameraFlashMode.auto
    /// nil for what the media types say.
    var mode: ImagePickerController.CameraCaptureMode?
    var quality = ImagePickerController.QualityType.medium
    var maximumDuration = Duration.seconds(600)
    var library: PhotoLibrary?
    var orientationSource: (any DeviceOrientationSource)?

    var effectiveMode: ImagePickerController.CameraCaptureMode {
      mode ?? (mediaTypes.contains(.image) ? .photo : .video)
    }

    var tuning: PickerCamera.Tuning { PickerCamera.Tuning(mode: effectiveMode, quality: quality) }
  }

  struct Storage {
    var settings = Settings()
    var machine = PickerMachine()
    var environment: CaptureEnvironment?
    /// Those that have not ended, by their numbers: one may begin while the one before is closed.
    var presentations: [Int: PickerPresentation] = [:]
    var camera: PickerCamera?
    var lastError: (any Error)?
    var observers: [UUID: AsyncStream<ImagePickerController.State>.Continuation] = [:]
    var stateHandler: (@Sendable (ImagePickerController.State) -> Void)?
    var callbackQueue = DispatchQueue(label: "CaptureKitLibrary.picker")
  }

  let storage = Mutex(Storage())
  let listener = PickerListener()
  private let work: AsyncStream<@Sendable (PickerCore) async -> Void>.Continuation
  private let makeRecorder: @Sendable () -> any PickerRecorder

  init(makeRecorder: @escaping @Sendable () -> any PickerRecorder) {
    self.makeRecorder = makeRecorder
    let (steps, work) = AsyncStream<@Sendable (PickerCore) async -> Void>.makeStream()
    self.work = work
    // Keeps this alive until the last step is done; `letGo` ends it.
    Task { for await step in steps { await step(self) } }
  }

  /// Nobody holds the picker any more.
  func letGo() {
    try? decide { machine throws(LibraryError) in try machine.cancel() }
    let observers = storage.withLock { storage in
      defer { storage.observers = [:] }
      return storage.observers.values
    }
    for observer in observers { observer.finish() }
    work.finish()
  }
}

// MARK: - Deciding

extension PickerCore {
  /// Changes something, and has done what follows from it.
  ///
  /// - Throws: Why it is refused; it is kept as the last error, too.
  func change(
    _ body: (inout Storage) throws(LibraryError) -> [PickerMachine.Action]
  ) throws(LibraryError) {
    let result = storage.withLock { storage -> Result<[URL], LibraryError> in
      let before = storage.machine.state
      do throws(LibraryError) {
        let actions = try body(&storage)
        let number = storage.machine.number
        storage.tell(ifOtherThan: before)
        // Under the lock, so that what is decided first is done first; nothing waits here.
        for action in actions {
          if case .note(let error) = action { storage.lastError = error }
          work.yield { await $0.perform(action, of: number) }
        }
        return .success(actions.compactMap(\.unwantedFile))
      } catch {
        storage.lastError = error
        return .failure(error)
      }
    }
    // At once: it may be the last movie of a picker that nobody holds any more.
    for url in try result.get() { try? FileManager.default.removeItem(at: url) }
  }

  /// Lets the machine decide.
  ///
  /// - Throws: Why it refuses; it is kept as the last error, too.
  func decide(
    _ body: (inout PickerMachine) throws(LibraryError) -> [PickerMachine.Action]
  ) throws(LibraryError) {
    try change { storage throws(LibraryError) in try body(&storage.machine) }
  }

  /// Reports something of a presentation; nothing happens where that is over.
  func report(
    of number: Int, _ body: (inout PickerMachine) -> [PickerMachine.Action]
  ) {
    try? decide { machine throws(LibraryError) in
      machine.number == number ? body(&machine) : []
    }
  }

  /// Does what was refused or failed without a call that could throw.
  func keepingErrors(_ body: () throws -> Void) {
    do { try body() } catch { keep(error) }
  }

  func keep(_ error: any Error) { storage.withLock { $0.lastError = error } }
}

extension PickerMachine.Action {
  fileprivate var unwantedFile: URL? {
    if case .discard(let url) = self { url } else { nil }
  }
}

extension PickerCore.Storage {
  /// Tells the state to whoever follows it.
  mutating func tell(ifOtherThan before: ImagePickerController.State) {
    let state = machine.state
    guard state != before else { return }
    // Yielding resumes nobody here, and the queue is not waited for.
    for observer in observers.values { observer.yield(state) }
    if let stateHandler { callbackQueue.async { stateHandler(state) } }
  }
}

// MARK: - Doing

extension PickerCore {
  private func perform(_ action: PickerMachine.Action, of number: Int) async {
    switch action {
    case .open(let setup): await open(setup, of: number)
    case .tellPresented:
      storage.withLock { $0.presentations[number] }?.opened.resolve(.success(()))
    case .takePicture(let shot): takePicture(shot, of: number)
    case .startMovie(let url): startMovie(to: url, of: number)
    case .stopMovie: camera?.stopMovie()
    case .switchCamera(let side): await switchCamera(to: side, of: number)
    case .retune: await retune()
    case .apply(let editor, let media): apply(editor, to: media, of: number)
    case .close: await close()
    // Done when it was decided.
    case .discard, .note: break
    case .answer(let waiter, let error): waiter.resolve(error)
    case .finish(let ending, let media): finish(ending, media, of: number)
    }
  }

  var camera: PickerCamera? { storage.withLock { $0.camera } }

  private func open(_ setup: PickerMachine.Setup, of number: Int) async {
    do throws(LibraryError) {
      if setup.source == .camera {
        try await openCamera(setup, of: number)
      } else {
        try openLibrary()
      }
      report(of: number) { $0.opened() }
    } catch {
      keep(error)
      report(of: number) { $0.failedToOpen(error) }
    }
  }

  private func openLibrary() throws(LibraryError) {
    guard storage.withLock({ $0.settings.library }) == nil else { return }
    let library: PhotoLibrary
    do throws(LibraryError) {
      library = try PhotoLibrary()
    } catch {
      throw LibraryError(.sourceUnavailable, "\(error)", errno: error.errno)
    }
    storage.withLock { $0.settings.library = $0.settings.library ?? library }
  }

  private func openCamera(
    _ setup: PickerMachine.Setup, of number: Int
  ) async throws(LibraryError) {
    let (settings, environment) = storage.withLock { ($0.settings, $0.environment ?? .current) }
    let camera = PickerCamera(in: environment, recorder: makeRecorder())
    try await camera.open(
      on: settings.side, settings.tuning, recordsMovies: setup.mediaTypes.contains(.movie))
    storage.withLock { $0.camera = camera }
    if let source = settings.orientationSource { camera.follow(source) }
    camera.follow { [weak self] in self?.note($0, of: number) }
  }

  private func switchCamera(
    to side: ImagePickerController.CameraDevice, of number: Int
  ) async {
    guard let camera else { return }
    do throws(LibraryError) {
      let tuning = storage.withLock { storage in
        storage.settings.side = side
        return storage.settings.tuning
      }
      try await camera.switchCamera(to: side, tuning)
      report(of: number) { $0.switchedCamera(because: nil) }
      // The new camera may have met something since.
      note(camera.session.state, of: number)
    } catch {
      let old = camera.device.map { PickerCameraChoice.side(of: $0, wished: nil) }
      storage.withLock { $0.settings.side = old }
      report(of: number) { $0.switchedCamera(because: error) }
    }
  }

  private func retune() async {
    let (camera, tuning) = storage.withLock { ($0.camera, $0.settings.tuning) }
    do { try await camera?.retune(to: tuning) } catch { keep(error) }
  }

  private func close() async {
    let camera = storage.withLock { storage in
      defer { storage.camera = nil }
      return storage.camera
    }
    await camera?.close()
  }

  private func finish(
    _ ending: ImagePickerController.Ending, _ media: PickedMedia?, of number: Int
  ) {
    let (presentation, queue) = storage.withLock { storage in
      (storage.presentations.removeValue(forKey: number), storage.callbackQueue)
    }
    let result: Result<ImagePickerController.Outcome, LibraryError> =
      switch ending {
      case .failed(let error): .failure(error)
      case .picked: media.map { .success(.picked($0)) } ?? .success(.cancelled)
      case .cancelled: .success(.cancelled)
      }
    presentation?.opened.then { [listener] opened in
      // Who was told that nothing could be presented is not told of its end.
      if case .success = opened { listener.tell(result, on: queue) }
    }
    if case .failed(let error) = ending { presentation?.opened.resolve(.failure(error)) }
    presentation?.opened.resolve(.failure(.cancelledBefore))
    presentation?.ended.resolve(result)
  }
}
