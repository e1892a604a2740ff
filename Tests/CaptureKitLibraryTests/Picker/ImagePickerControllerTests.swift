import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Testing

@testable import CaptureKitLibrary

/// The picker with a camera.
@Suite(.timeLimit(.minutes(1)))
struct ImagePickerControllerTests {
  private static let selections: [[PickerMediaType]] = [[.image], [.movie], [.image, .movie]]

  // MARK: - What is picked

  @Test(arguments: selections, [false, true])
  func picksWhatTheCameraTakes(_ mediaTypes: [PickerMediaType], _ allowsEditing: Bool) async throws
  {
    for wish in mediaTypes {
      let stage = PickerStage()
      stage.picker.mediaTypes = mediaTypes
      stage.picker.allowsEditing = allowsEditing
      let outcome = try await stage.pick { picker in
        guard wish == .image else {
          try picker.beginVideoCapture()
          return try await picker.endVideoCapture()
        }
        try await picker.capturePicture()
        guard allowsEditing else { return }
        #expect(picker.state == .editing)
        picker.editor?.rotate(.clockwise90)
        try await picker.applyEdits()
      }
      let media = try #require(outcome.media)
      #expect(media.mediaType == wish)
      #expect(media.asset == nil && media.recordingError == nil)
      #expect(stage.picker.state == .ended(.picked))
      if wish == .image {
        try check(media, isEdited: allowsEditing)
      } else {
        #expect(media.originalImage == nil && media.editedImage == nil && media.cropRect == nil)
        let url = try #require(media.mediaURL)
        #expect(url.pathExtension == "mov" && url == stage.recorder.url)
        #expect(FileManager.default.fileExists(atPath: url.path))
        #expect(media.info[.mediaURL] as? URL == url)
        try FileManager.default.removeItem(at: url)
      }
      let counters = stage.cameras[0].counters
      #expect(counters.opened == 1 && counters.closed == 1)
    }
  }

  private func check(_ media: PickedMedia, isEdited: Bool) throws {
    let original = try #require(media.originalImage)
    #expect(original.format == .jpeg && original.size == PixelSize(width: 160, height: 120))
    #expect(media.metadata?.model == "Webcam")
    #expect(media.mediaURL == nil)
    #expect(media.info[.mediaType] as? String == "public.image")
    #expect(media.info[.originalImage] as? Image === original)
    guard isEdited else {
      #expect(media.editedImage == nil && media.cropRect == nil && media.editingOutcome == nil)
      #expect(media.image === original)
      return
    }
    let edited = try #require(media.editedImage)
    #expect(media.image === edited)
    #expect(edited.size == PixelSize(width: 120, height: 120))
    #expect(media.cropRect == PixelRect(x: 20, y: 0, width: 120, height: 120))
    #expect(media.info[.cropRect] as? CGRect == CGRect(x: 20, y: 0, width: 120, height: 120))
    #expect(media.editingOutcome != nil)
  }

  @Test func anEditorThatChangesNothingKeepsTheCamerasBytes() async throws {
    let stage = PickerStage()
    stage.picker.allowsEditing = true
    stage.picker.editingAspectRatio = nil
    let media = try await stage.pick { picker in
      picker.takePicture()
      await picker.reaches { $0 == .editing }
      picker.finishEditing()
    }.media

    #expect(media?.editedImage === media?.originalImage && media?.originalImage != nil)
    #expect(media?.editingOutcome == .unchanged)
  }

  @Test func takesAnotherPicture() async throws {
    let stage = PickerStage()
    stage.picker.allowsEditing = true
    let media = try await stage.pick { picker in
      try await picker.capturePicture()
      let first = picker.draft?.originalImage
      picker.retake()
      #expect(picker.state == .live && picker.draft == nil && picker.editor == nil)
      try await picker.capturePicture()
      #expect(picker.draft?.originalImage !== first)
      try await picker.applyEdits()
    }.media
    #expect(media?.editedImage != nil)
  }

  // MARK: - What keeps it from being presented

  @Test func saysWhyNothingCanBePresented() async throws {
    let cases: [([MockEvent], [MockCamera], String)] = [
      ([], [], "No camera was found"),
      ([.noPermission], [PickerStage.webcam()], "Webcam"),
      ([.busy], [PickerStage.webcam()], "Webcam"),
      ([.failsToStart(CaptureError(.usbBandwidth))], [PickerStage.webcam()], "USB"),
    ]
    for (script, cameras, words) in cases {
      for camera in cameras { camera.script = script }
      let stage = PickerStage(cameras)
      let diary = PickerDiary()
      stage.picker.delegate = diary
      let error = await #expect(throws: LibraryError.self) { try await stage.present() }

      #expect(error?.code == .sourceUnavailable)
      #expect(error?.description.contains(words) == true, "\(script): \(error?.description ?? "")")
      #expect(error.map { stage.picker.state == .ended(.failed($0)) } == true)
      await #expect(throws: LibraryError.self) {
        try await stage.environment.run { try await stage.picker.pick() }
      }
      #expect(diary.all.isEmpty)
    }
  }

  @Test func refusesMediaTypesThatNobodyKnows() async throws {
    for mediaTypes in [[], [.image, PickerMediaType(rawValue: "public.audio")]] {
      let stage = PickerStage()
      stage.picker.mediaTypes = mediaTypes
      let error = await #expect(throws: LibraryError.self) { try await stage.present() }
      #expect(error?.code == .unsupportedMediaType)
      #expect(stage.picker.state == .idle)
      #expect(stage.cameras[0].counters.opened == 0)
    }
  }

  @Test func aSideWithoutACameraIsUnavailable() async throws {
    let stage = PickerStage([PickerStage.webcam(.front)])
    stage.picker.cameraDevice = .rear
    let error = await #expect(throws: LibraryError.self) { try await stage.present() }
    #expect(error?.code == .sourceUnavailable)

    // Who has not chosen gets what there is.
    let other = PickerStage([PickerStage.webcam(.front)])
    try await other.present()
    #expect(other.picker.cameraDevice == .front)
    other.picker.cancel()
  }

  @Test func isPresentedOnce() async throws {
    let stage = PickerStage()
    try await stage.present()
    let error = await #expect(throws: LibraryError.self) { try await stage.present() }
    #expect(error?.code == .alreadyPresented)
    #expect(stage.picker.state == .live)
    #expect(stage.cameras[0].counters.opened == 1)

    stage.picker.cancel()
    // The camera was let go of before anybody is told.
    let outcome = try await stage.pick { $0.cancel() }
    #expect(outcome.media == nil)
    #expect(stage.cameras[0].counters.opened == 2)
  }

  @Test func isPresentedAgainWhileTheCameraIsBeingClosed() async throws {
    let stage = PickerStage()
    try await stage.present()
    let first = PickerPromise<Result<ImagePickerController.Outcome, any Error>>()
    for _ in 0..<5 {
      stage.picker.cancel()
      stage.environment.run { stage.picker.present { first.resolve($0) } }
    }
    #expect(try await first.value.get().media == nil)
    await stage.picker.reaches { $0 == .live }
    try await stage.picker.capturePicture()
    #expect(stage.picker.state == .ended(.picked))
  }

  // MARK: - Ends

  @Test(arguments: ["live", "capturing", "recording", "finishing", "editing", "applying"])
  func isCancelledInEachState(_ phase: String) async throws {
    let camera = PickerStage.webcam()
    let stage = PickerStage([camera])
    stage.recorder.holdsEnd = true
    let (picker, diary) = (stage.picker, PickerDiary())
    picker.mediaTypes = [.image, .movie]
    picker.allowsEditing = true
    picker.delegate = diary
    var movie: URL?
    let outcome = PickerPromise<Result<ImagePickerController.Outcome, any Error>>()
    stage.environment.run { picker.present { outcome.resolve($0) } }
    await picker.reaches { $0 == .live }
    switch phase {
    case "capturing":
      camera.script = [.silence]
      picker.takePicture()
    case "recording", "finishing":
      try picker.beginVideoCapture()
      for await url in stage.recorder.starts.stream {
        movie = url
        break
      }
      if phase == "finishing" { picker.stopVideoCapture() }
    case "editing", "applying":
      try await picker.capturePicture()
      if phase == "applying" { picker.finishEditing() }
    default: break
    }
    picker.cancel()

    // An edit may have been quicker.
    let media = try await outcome.value.get().media
    if phase != "applying" {
      #expect(media == nil)
      #expect(picker.state == .ended(.cancelled))
    }
    #expect(camera.counters.opened == 1 && camera.counters.closed == 1)
    #expect(picker.session == nil && picker.previewLayer == nil)
    for await entry in diary.news.stream {
      #expect(entry == (media == nil ? .cancelled : .picked(.image)))
      break
    }
    if let movie {
      #expect(FileManager.default.fileExists(atPath: movie.path))
      stage.recorder.end(.success(nil))
      #expect(!FileManager.default.fileExists(atPath: movie.path))
    }
    picker.cancel()
    #expect((picker.lastError as? LibraryError)?.code == .notPresented)
    #expect(diary.all.count == 1)
  }

  @Test func isCancelledWhileItIsBeingPresented() async throws {
    let clock = ManualClock()
    let camera = PickerStage.webcam()
    let environment = CaptureEnvironment(
      backends: [MockBackend(cameras: [camera], clock: clock)], clock: clock)
    let picker = ImagePickerController(makeRecorder: { ScriptedRecorder() })
    picker.sourceType = .camera
    let outcome = PickerPromise<Result<ImagePickerController.Outcome, any Error>>()
    environment.run { picker.present { outcome.resolve($0) } }
    #expect(picker.state.isPresented)
    picker.cancel()

    #expect(picker.state == .ended(.cancelled))
    #expect(try await outcome.value.get().media == nil)
    #expect(camera.counters.opened == camera.counters.closed)
  }

  @Test func aCancelledTaskCancels() async throws {
    let stage = PickerStage()
    let task = Task { try await stage.environment.run { try await stage.picker.pick() } }
    await stage.picker.reaches { $0 == .live }
    task.cancel()

    #expect(try await task.value.media == nil)
    #expect(stage.picker.state == .ended(.cancelled))

    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await stage.environment.run { try await stage.picker.pick() }
    }
    #expect(try await early.value.media == nil)
  }

  @Test func aPickerThatNobodyHoldsIsCancelled() async throws {
    let camera = PickerStage.webcam()
    let recorder = ScriptedRecorder()
    recorder.holdsEnd = true
    var stage: PickerStage? = PickerStage([camera], recorder: recorder)
    let outcome = PickerPromise<Result<ImagePickerController.Outcome, any Error>>()
    stage?.picker.mediaTypes = [.movie]
    stage?.environment.run { stage?.picker.present { outcome.resolve($0) } }
    await stage?.picker.reaches { $0 == .live }
    try stage?.picker.beginVideoCapture()
    var movie: URL?
    for await url in recorder.starts.stream {
      movie = url
      break
    }
    weak let core = stage?.picker.core
    stage = nil

    #expect(try await outcome.value.get().media == nil)
    #expect(camera.counters.opened == 1 && camera.counters.closed == 1)
    recorder.end(.success(nil))
    #expect(try !FileManager.default.fileExists(atPath: #require(movie).path))
    try await wait { core == nil }
  }

  // MARK: - Telling

  @Test func tellsEachState() async throws {
    let stage = PickerStage()
    stage.picker.allowsEditing = true
    let told = AsyncStream<ImagePickerController.State>.makeStream()
    stage.picker.setStateHandler { told.continuation.yield($0) }
    let states = stage.picker.states
    _ = try await stage.pick { picker in
      try await picker.capturePicture()
      try await picker.applyEdits()
    }
    let expected: [ImagePickerController.State] = [
      .idle, .presenting, .live, .capturing, .editing, .applyingEdits, .ended(.picked),
    ]
    for sequence in [states, told.stream] {
      var seen: [ImagePickerController.State] = []
      for await state in sequence {
        seen.append(state)
        if !state.isPresented, state != .idle { break }
      }
      #expect(seen == expected)
    }
  }

  @Test func tellsItsDelegateOnceOnItsQueue() async throws {
    let stage = PickerStage()
    let diary = PickerDiary()
    stage.picker.delegate = diary
    stage.picker.callbackQueue = .main
    _ = try await stage.pick { try await $0.capturePicture() }
    for await entry in diary.news.stream {
      #expect(entry == .picked(.image))
      break
    }
    #expect(diary.all == [.picked(.image)])
  }

  @Test func saysWhatThereIs() async throws {
    let stage = PickerStage([PickerStage.webcam(.front)])
    stage.environment.run {
      typealias Picker = ImagePickerController
      #expect(Picker.isSourceTypeAvailable(.camera))
      #expect(Picker.availableMediaTypes(for: .camera) == [.image, .movie])
      #expect(Picker.isCameraDeviceAvailable(.front) && !Picker.isCameraDeviceAvailable(.rear))
      #expect(Picker.availableCaptureModes(for: .front) == [.photo, .video])
      #expect(Picker.availableCaptureModes(for: .rear) == nil)
      #expect(!Picker.isFlashAvailable(for: .front))
      #expect(Picker.isSourceTypeAvailable(.photoLibrary))
    }
    stage.cameras[0].script = [.noPermission]
    stage.environment.run {
      #expect(!ImagePickerController.isSourceTypeAvailable(.camera))
      #expect(ImagePickerController.availableMediaTypes(for: .camera) == nil)
      #expect(!ImagePickerController.isCameraDeviceAvailable(.front))
    }
  }
}
