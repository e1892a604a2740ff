import CaptureKitLinux
import CaptureKitMocks
import CaptureKitMovie
import Foundation
import Imaging
import Testing

@testable import CaptureKitLibrary

/// The picker with a camera, and movies that are really written.
@Suite(.timeLimit(.minutes(1)))
struct PickerMovieTests {
  private let camera = PickerStage.webcam()
  private let picker = ImagePickerController()

  private func present() async throws -> PickerPromise<
    Result<ImagePickerController.Outcome, any Error>
  > {
    picker.sourceType = .camera
    picker.mediaTypes = [.image, .movie]
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera])])
    let outcome = PickerPromise<Result<ImagePickerController.Outcome, any Error>>()
    environment.run { picker.present { outcome.resolve($0) } }
    await picker.reaches { $0 == .live }
    try picker.beginVideoCapture()
    try await wait { picker.recordedDuration >= 0.2 }
    return outcome
  }

  private func check(_ media: PickedMedia?) throws {
    let url = try #require(media?.mediaURL)
    let movie = try MovieReader(contentsOf: url)
    #expect(movie.size == VideoDimensions(width: 160, height: 120))
    #expect(movie.duration > .milliseconds(150))
    #expect(try movie.posterImage().size == PixelSize(width: 160, height: 120))
    try FileManager.default.removeItem(at: url)
  }

  @Test func recordsAMovieThatCanBePlayed() async throws {
    let outcome = try await present()
    #expect(picker.state == .recording)
    picker.stopVideoCapture()
    let media = try await outcome.value.get().media

    #expect(media?.recordingError == nil)
    try check(media)
    #expect(camera.counters.closed == 1)
  }

  @Test func picksWhatWasRecordedUntilTheCameraWasUnplugged() async throws {
    let outcome = try await present()
    camera.unplug()
    let media = try await outcome.value.get().media

    #expect((media?.recordingError as? CaptureError)?.code == .disconnected)
    try check(media)
  }

  @Test func picksAMovieThatHasReachedItsLongest() async throws {
    picker.videoMaximumDuration = 0.4
    let outcome = try await present()
    let media = try await outcome.value.get().media

    #expect((media?.recordingError as? MovieError)?.code == .maximumDurationReached)
    try check(media)
  }

  @Test func removesAMovieThatNobodyWants() async throws {
    let before = try temporaryMovies()
    let outcome = try await present()
    #expect(try temporaryMovies().subtracting(before).count == 1)
    picker.cancel()
    #expect(try await outcome.value.get().media == nil)
    try await wait { try temporaryMovies().subtracting(before).isEmpty }
  }

  private func temporaryMovies() throws -> Set<String> {
    let folder = FileManager.default.temporaryDirectory
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return Set(names.filter { $0.hasPrefix("CaptureKit-") && $0.hasSuffix(".mov") })
  }
}
