import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Synchronization
import TestSupport
import Testing

@testable import CaptureKitLibrary

/// A machine with cameras, and a picker on it.
final class PickerStage: Sendable {
  let cameras: [MockCamera]
  let environment: CaptureEnvironment
  let recorder: ScriptedRecorder
  let picker: ImagePickerController

  init(_ cameras: [MockCamera] = [PickerStage.webcam()], recorder: ScriptedRecorder = .init()) {
    self.cameras = cameras
    self.recorder = recorder
    environment = CaptureEnvironment(backends: [MockBackend(cameras: cameras)])
    picker = ImagePickerController(makeRecorder: { recorder })
    picker.sourceType = .camera
  }

  static func webcam(
    _ position: CaptureDevice.Position = .unspecified, name: String = "Webcam"
  ) -> MockCamera {
    MockCamera(
      uniqueID: name, name: name, position: position,
      frames: .testPattern(.mjpeg, width: 160, height: 120))
  }

  func present() async throws { try await environment.run { try await picker.present() } }

  /// Presents and waits for the end.
  func pick(
    _ body: @escaping @Sendable (ImagePickerController) async throws -> Void
  ) async throws -> ImagePickerController.Outcome {
    let outcome = PickerPromise<Result<ImagePickerController.Outcome, any Error>>()
    environment.run { picker.present { outcome.resolve($0) } }
    await picker.reaches { $0 == .live || $0 == .choosing || !$0.isPresented }
    try await body(picker)
    return try await outcome.value.get()
  }
}

extension ImagePickerController {
  /// Waits for a state; the suite's time limit ends what never comes.
  func reaches(_ isSo: (State) -> Bool) async {
    for await state in states where isSo(state) { return }
  }
}

/// Waits until something is so; the suite's time limit ends what never is.
func wait(until isSo: () throws -> Bool) async throws {
  while try !isSo() { try await Task.sleep(for: .milliseconds(2)) }
}

/// Records nothing, and says what it is told to.
final class ScriptedRecorder: PickerRecorder {
  typealias Completion = @Sendable (Result<(any Error)?, any Error>) -> Void

  private struct State {
    var url: URL?
    var limit: Duration?
    var completion: Completion?
    var holdsEnd = false
  }

  private let state = Mutex(State())
  let output: any CaptureOutput = SilentOutput()
  let starts = AsyncStream<URL>.makeStream()

  /// Whether a movie that is asked to end waits for ``end(_:)``.
  var holdsEnd: Bool {
    get { state.withLock { $0.holdsEnd } }
    set { state.withLock { $0.holdsEnd = newValue } }
  }

  var url: URL? { state.withLock { $0.url } }
  var limit: Duration? { state.withLock { $0.limit } }
  var recordedDuration: Duration { .seconds(2) }
  var recordedFileSize: Int64 { 2000 }

  func start(to url: URL, limit: Duration, completion: @escaping Completion) {
    try? Data("movie".utf8).write(to: url)
    state.withLock { state in
      (state.url, state.limit, state.completion) = (url, limit, completion)
    }
    starts.continuation.yield(url)
  }

  func stop() {
    if !holdsEnd { end(.success(nil)) }
  }

  func end(_ result: Result<(any Error)?, any Error>) {
    let completion = state.withLock { state in
      defer { state.completion = nil }
      return state.completion
    }
    completion?(result)
  }
}

private final class SilentOutput: CaptureOutput {
  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {}
}

/// Keeps what a picker's delegate is told.
final class PickerDiary: ImagePickerControllerDelegate, Sendable {
  enum Entry: Hashable, Sendable {
    case picked(PickerMediaType)
    case cancelled
    case failed(LibraryError.Code)
  }

  private let entries = Mutex<[Entry]>([])
  let news = AsyncStream<Entry>.makeStream()

  var all: [Entry] { entries.withLock { $0 } }

  private func note(_ entry: Entry) {
    entries.withLock { $0.append(entry) }
    news.continuation.yield(entry)
  }

  func imagePickerController(
    _ picker: ImagePickerController,
    didFinishPickingMediaWithInfo info: [ImagePickerController.InfoKey: any Sendable]
  ) {
    note(.picked(PickerMediaType(rawValue: info[.mediaType] as? String ?? "")))
  }

  func imagePickerControllerDidCancel(_ picker: ImagePickerController) { note(.cancelled) }

  func imagePickerController(
    _ picker: ImagePickerController, didFailWithError error: LibraryError
  ) {
    note(.failed(error.code))
  }
}

/// Hands over what a picker's delegate is given.
final class MediaKeeper: ImagePickerControllerDelegate, Sendable {
  private let keep: @Sendable (PickedMedia) -> Void

  init(keep: @escaping @Sendable (PickedMedia) -> Void) { self.keep = keep }

  func imagePickerController(
    _ picker: ImagePickerController, didFinishPicking media: PickedMedia
  ) {
    keep(media)
  }
}
