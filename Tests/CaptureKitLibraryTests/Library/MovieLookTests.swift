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
}
