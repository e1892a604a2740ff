import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Testing

@testable import CaptureKitLibrary

/// What happens to the picker's camera, and what it is told to be.
@Suite(.timeLimit(.minutes(1)))
struct PickerCameraTests {
  @Test func waitsForACameraThatIsUnplugged() async throws {
    let stage = PickerStage()
    try await stage.present()
    stage.cameras[0].unplug()
    await stage.picker.reaches { $0 == .interrupted(.videoDeviceDisconnected) }
    let error = await #expect(throws: LibraryError.self) { try await stage.picker.capturePicture() }
    #expect(error?.code == .sourceUnavailable)
    #expect(error?.description.contains("unplugged") == true)

    stage.cameras[0].replug()
    await stage.picker.reaches { $0 == .live }
    try await stage.picker.capturePicture()
    #expect(stage.picker.state == .ended(.picked))
  }

  @Test func tellsThatAPictureCouldNotBeTaken() async throws {
    let stage = PickerStage()
    try await stage.present()
    stage.cameras[0].script = [.silence]
    let task = Task { try await stage.picker.capturePicture() }
    await stage.picker.reaches { $0 == .capturing }
    stage.cameras[0].unplug()

    await #expect(throws: CaptureError.self) { try await task.value }
    #expect(stage.picker.lastError is CaptureError)
    #expect(stage.picker.state.isPresented)
    stage.picker.cancel()
  }

  @Test func aMovieThatEndsByItselfIsPicked() async throws {
    let stage = PickerStage()
    stage.picker.mediaTypes = [.movie]
    stage.picker.videoMaximumDuration = 1.5
    let recorder = stage.recorder
    let media = try await stage.pick { picker in
      #expect(picker.startVideoCapture())
      #expect(!picker.startVideoCapture())
      for await _ in recorder.starts.stream { break }
      #expect(picker.recordedDuration == 2)
      recorder.end(.success(LibraryError(.diskFull, "The disk is full.")))
    }.media

    #expect(recorder.limit == .milliseconds(1500))
    #expect((media?.recordingError as? LibraryError)?.code == .diskFull)
    try FileManager.default.removeItem(at: #require(media?.mediaURL))
  }

  @Test func switchesBetweenFrontAndRear() async throws {
    let (front, rear) = (
      PickerStage.webcam(.front, name: "F"), PickerStage.webcam(.back, name: "R")
    )
    let stage = PickerStage([front, rear])
    let picker = stage.picker
    try await stage.present()
    #expect(picker.cameraDevice == .rear)
    #expect(rear.counters.opened == 1 && front.counters.opened == 0)

    try await picker.switchCamera(to: .front)
    #expect(picker.cameraDevice == .front && picker.state == .live)
    #expect(rear.counters.closed == 1 && front.counters.opened == 1)

    rear.script = [.busy]
    let error = await #expect(throws: LibraryError.self) {
      try await picker.switchCamera(to: .rear)
    }
    #expect(error?.code == .sourceUnavailable)
    #expect(picker.cameraDevice == .front && picker.state == .live)
    rear.script = []
    picker.cameraDevice = .rear
    #expect(picker.state == .switchingCamera)
    await picker.reaches { $0 == .live }
    #expect(picker.cameraDevice == .rear)
    try await picker.capturePicture()
    #expect(picker.state == .ended(.picked))
  }

  @Test func anyCameraIsBothWhereNoneSaysItsPosition() async throws {
    let stage = PickerStage()
    stage.picker.cameraDevice = .front
    try await stage.present()
    #expect(stage.picker.cameraDevice == .front)
    try await stage.picker.switchCamera(to: .rear)
    #expect(stage.picker.cameraDevice == .rear)
    #expect(stage.cameras[0].counters.opened == 1)
    stage.picker.cancel()
  }

  @Test func shinesWhileAPictureIsTaken() async throws {
    let camera = PickerStage.webcam()
    camera.controls = [
      CaptureControl(
        .flashMode, name: "LED", kind: .menu, range: 0...2, defaultValue: 0,
        menu: [.init(0, "Off"), .init(2, "Torch")])
    ]
    let stage = PickerStage([camera])
    for (mode, expected) in [(ImagePickerController.CameraFlashMode.auto, []), (.on, [2, 0])] {
      stage.picker.cameraFlashMode = mode
      try await stage.present()
      try await stage.picker.capturePicture()
      try await wait { camera.controlSettings.count >= expected.count }
      #expect(
        camera.controlSettings
          == expected.map { CaptureControl.Setting(.flashMode, .integer(Int64($0))) })
    }
  }

  @Test func isTunedForWhatItIsPresentedFor() async throws {
    let stage = PickerStage()
    let picker = stage.picker
    picker.mediaTypes = [.image, .movie]
    #expect(picker.cameraCaptureMode == .photo)
    try await stage.present()
    #expect(picker.session?.sessionPreset == .photo)
    picker.videoQuality = .high
    picker.cameraCaptureMode = .video
    try await wait { picker.session?.sessionPreset == .high }
    try picker.beginVideoCapture()
    picker.videoQuality = .low
    #expect(picker.videoQuality == .high)
    #expect((picker.lastError as? LibraryError)?.code == .notNow)
    picker.cancel()

    picker.mediaTypes = [.movie]
    let other = PickerStage()
    other.picker.mediaTypes = [.movie]
    #expect(other.picker.cameraCaptureMode == .video)
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e300, -.infinity])
  func durationsAreBounded(_ seconds: Double) {
    let picker = ImagePickerController()
    picker.videoMaximumDuration = seconds
    #expect((0.001...86400).contains(picker.videoMaximumDuration))
  }

  @Test func picturesAreUprightHoweverTheMachineIsHeld() async throws {
    let stage = PickerStage([PickerStage.webcam(.front, name: "F"), PickerStage.webcam(.back)])
    let source = ManualDeviceOrientation(.landscapeLeft)
    stage.picker.deviceOrientationSource = source
    try await stage.present()
    let connections = { stage.picker.session?.connections.map(\.videoOrientation) ?? [] }
    #expect(Set(connections()) == [.landscapeRight])
    source.orientation = .faceUp
    #expect(Set(connections()) == [.landscapeRight])
    try await stage.picker.switchCamera(to: .front)
    #expect(connections().count == 2 && Set(connections()) == [.landscapeRight])
    source.orientation = .portraitUpsideDown
    #expect(Set(connections()) == [.portraitUpsideDown])
    let taken = PickerPromise<PickedMedia>()
    let keeper = MediaKeeper { taken.resolve($0) }
    stage.picker.delegate = keeper
    try await stage.picker.capturePicture()
    #expect(await taken.value.originalImage?.orientation == .down)
    withExtendedLifetime(keeper) {}
  }
}
