import CaptureKitLibrary
import Foundation
import Imaging
import Testing

@testable import Selfies

@Suite(.timeLimit(.minutes(1)))
struct SelfieAlbumTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "SelfieAlbumTests-\(UUID().uuidString)", directoryHint: .isDirectory)

  private func photo() throws -> Image {
    Image(try PixelBuffer(format: .bgra32, width: 16, height: 8) { _, _, _ in })
  }

  @Test func keepsPhotosAndListsThem() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let album = try SelfieAlbum(folder: folder)
    #expect(try await album.selfies().isEmpty)

    let kept = try await album.add(photo())

    #expect(try await album.selfies().map(\.id) == [kept.id])
    #expect(kept.title != kept.url.deletingPathExtension().lastPathComponent)
    let small = try await album.picture(of: kept, maxPixelSize: 8)
    #expect(small.size == PixelSize(width: 8, height: 4))
  }

  @Test func givesAnotherNameThatNoSelfieHas() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let album = try SelfieAlbum(folder: folder)
    let (first, second) = (try await album.add(photo()), try await album.add(photo()))
    var changes = album.changes.makeAsyncIterator()

    #expect(try album.rename(first, to: "Zoë/1").lastPathComponent == "Zoë-1.jpg")
    #expect(try album.rename(second, to: " Zoë-1 ").lastPathComponent == "Zoë-1 2.jpg")

    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(names) == ["Zoë-1.jpg", "Zoë-1 2.jpg"])
    while Set(try await album.selfies().map(\.title)) != ["Zoë-1", "Zoë-1 2"] {
      try #require(await changes.next() != nil)
    }
  }

  @Test(arguments: ["", "  ", "...", "\n\u{7}"])
  func keepsTheNameWhereNothingIsLeftOfTheTitle(_ title: String) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let album = try SelfieAlbum(folder: folder)
    let selfie = try await album.add(photo())
    #expect(try album.rename(selfie, to: title) == selfie.url)
    #expect(FileManager.default.fileExists(atPath: selfie.url.path))
  }

  @Test(arguments: [
    ("Me", "Me"), ("../../etc/passwd", "-..-etc-passwd"), (".hidden", "hidden"),
    ("a\nb\u{0}c", "abc"), (String(repeating: "é", count: 200), String(repeating: "é", count: 120)),
  ])
  func makesAFileNameOfWhatWasTyped(_ title: String, _ name: String) {
    #expect(Selfie.fileName(for: title) == name)
  }

  @Test(arguments: [
    ("IMG_20261201_093015", true), ("IMG_20261201_093015-12", true), ("IMG_2026", false),
    ("Holiday", false),
  ])
  func knowsTheNamesThatNobodyHasChosen(_ name: String, _ isOfCamera: Bool) {
    #expect(Selfie.isOfCamera(name) == isOfCamera)
  }
}
