import CaptureKitLinux
import CaptureKitMocks
import CaptureKitMovie
import Foundation
import Glibc
import Imaging
import LinuxSystem
import TestSupport
import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct MovieLookTests {
  private let pictures: PictureFolder

  init() throws { pictures = try PictureFolder() }

  /// Records a movie of a few small frames.
  private func record(to name: String) async throws {
    let camera = MockCamera(frames: .testPattern(.mjpeg, width: 160, height: 120))
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera])])
    let device = try #require(try await environment.devices().first)
    let (session, output) = (CaptureSession(), CaptureMovieFileOutput())
    try session.add(try CaptureDeviceInput(device: device))
    try session.add(output)
    try await session.start()
    let recording = try await output.startRecording(to: pictures.url.appending(path: name))
    _ = try await recording.stop()
    await session.stop()
  }

  private func poster(_ library: PhotoLibrary) async throws -> Image {
    try await library.settled()
    let asset = try #require(try await library.assets(range: 0..<9).first)
    #expect(asset.mediaType == .movie)
    return try await library.thumbnail(of: asset, maxPixelSize: 80)
  }

  @Test func aMovieHasAThumbnail() async throws {
    try await record(to: "a.mov")
    #expect(try await poster(try pictures.library()).size == PixelSize(width: 80, height: 60))
  }

  @Test func aMovieOfAnyNameHasAThumbnail() async throws {
    try await record(to: "a.mov")
    let name = Array(pictures.path.utf8CString.dropLast()) + [0x2F, -1, 0x2E, 0x6D, 0x6F, 0x76, 0]
    #expect(rename(pictures.path + "/a.mov", name) == 0)
    #expect(try await poster(try pictures.library()).size == PixelSize(width: 80, height: 60))
  }

  @Test func aDamagedMovieHasNoThumbnail() async throws {
    let path = try pictures.put("a.mov", Data("no movie at all".utf8))
    let error = #expect(throws: LibraryError.self) {
      try MovieLook.poster(of: RawPath(path), maxPixelSize: 80)
    }
    #expect(error?.code == .unsupportedPicture && error?.description.contains("a.mov") == true)
    let missing = #expect(throws: LibraryError.self) {
      try MovieLook.poster(of: RawPath(pictures.path + "/b.mov"), maxPixelSize: 80)
    }
    #expect(missing?.code == .noAsset)
  }

  @Test func moviesAreOrderedByWhenTheyWereRecorded() async throws {
    try await record(to: "a.mov")
    try await record(to: "a.avi")
    PictureFolder.setModified(pictures.path + "/a.mov", 1_000_000)
    PictureFolder.setModified(pictures.path + "/a.avi", 2_000_000)
    try pictures.put("b.jpg", PictureFolder.jpeg(taken: 1_600_000_000))
    let library = try pictures.library()
    try await library.settled()

    let assets = try await library.assets(range: 0..<9)

    #expect(pictures.names(assets) == ["a.mov", "b.jpg", "a.avi"])
    #expect(assets.map(\.isDateFromFile) == [false, false, true])
    let recorded = try MovieReader(contentsOf: assets[0].url).creationDate
    #expect(assets[0].captureDate == recorded)
    #expect(abs(assets[0].captureDate.timeIntervalSinceNow) < 60)
    #expect(assets[2].captureDate == Date(timeIntervalSince1970: 2_000_000))
  }

  @Test func aMovieOfAnyNameHasItsDate() async throws {
    try await record(to: "a.mkv")
    let name = Array(pictures.path.utf8CString.dropLast()) + [0x2F, -1, 0]
    #expect(rename(pictures.path + "/a.mkv", name) == 0)
    let library = try pictures.library()
    try await library.settled()

    #expect(try await library.assets(range: 0..<9).map(\.isDateFromFile) == [false])
  }

  @Test func aMovieThatIsAddedIsNamedByItsDate() async throws {
    try await record(to: "a.mov")
    let source = pictures.folder.path("shot.mov")
    try FileManager.default.moveItem(atPath: pictures.path + "/a.mov", toPath: source)
    PictureFolder.setModified(source, 1_000_000)

    let asset = try await pictures.library().add(movieAt: URL(filePath: source))

    #expect(!asset.isDateFromFile)
    #expect(!asset.url.lastPathComponent.hasPrefix("VID_1970"))
  }
}
