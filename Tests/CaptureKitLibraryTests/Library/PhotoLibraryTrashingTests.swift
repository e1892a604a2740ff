import Foundation
import Imaging
import LinuxSystem
import TestSupport
import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct PhotoLibraryTrashingTests {
  private let pictures: PictureFolder

  init() throws { pictures = try PictureFolder() }

  private func library() throws -> PhotoLibrary {
    let directories = XDGDirectories(
      variable: { $0 == "XDG_DATA_HOME" ? pictures.folder.path("data") : nil })
    return try PhotoLibrary(
      folders: [pictures.url], cache: pictures.cache.path, trash: Trash(directories))
  }

  @Test func putsAPictureIntoTheTrashAndOutOfTheList() async throws {
    let data = try PictureFolder.jpeg(taken: 5)
    try pictures.put("trip/ä b%.jpg", data)
    let library = try library()
    try await library.settled()
    let asset = try #require(try await library.assets(range: 0..<9).first)

    try await library.trash(asset)

    #expect(try await library.assets(range: 0..<9).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: asset.url.path))
    let trashed = pictures.folder.path("data/Trash/files/ä b%.jpg")
    #expect(try Data(contentsOf: URL(filePath: trashed)) == data)
    let note = try pictures.folder.text(of: "data/Trash/info/ä b%.jpg.trashinfo")
    let lines = note.split(separator: "\n")
    #expect(lines[0] == "[Trash Info]")
    #expect(lines[1] == "Path=\(pictures.path)/trip/%C3%A4%20b%25.jpg")
    #expect(lines[2].wholeMatch(of: /DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) != nil)
    let gone = await #expect(throws: LibraryError.self) { try await library.trash(asset) }
    #expect(gone?.code == .noAsset)
  }

  @Test(arguments: ["/etc/passwd", "PICTURES/../secret.jpg", "PICTURES", "", "PICTURES/link/s.jpg"])
  func touchesNothingOutsideTheLibrary(id: String) async throws {
    pictures.folder.file("secret.jpg", "secret")
    pictures.folder.file("outside/s.jpg", "secret")
    pictures.folder.link("pictures/link", to: "../outside")
    let library = try library()
    let asset = PhotoLibrary.Asset(
      id: id.replacing("PICTURES", with: pictures.path), url: pictures.url, mediaType: .image,
      captureDate: Date(), isDateFromFile: true, byteCount: 0, pixelSize: nil, album: nil,
      trouble: nil)

    let error = await #expect(throws: LibraryError.self) { try await library.trash(asset) }

    #expect([.outsideLibrary, .noAsset].contains(error?.code))
    #expect(try pictures.folder.text(of: "secret.jpg") == "secret")
    #expect(try pictures.folder.text(of: "outside/s.jpg") == "secret")
    if !id.contains("link") {
      #expect(throws: LibraryError.self) { try library.image(of: asset) }
      await #expect(throws: LibraryError.self) {
        try await library.thumbnail(of: asset, maxPixelSize: 9)
      }
    }
  }

  @Test func saysWhyAFileStays() {
    let failure = FileFailure(call: "mkdir", path: ".Trash-0", errno: .readOnly)
    let path = RawPath("/p/a.jpg")

    #expect(LibraryError(.refused(failure), of: path).code == .cannotTrash)
    #expect(LibraryError(.hidden(failure), of: path).code == .notPermitted)
    #expect(LibraryError(.gone(failure), of: path).code == .noAsset)
    #expect(
      LibraryError(.refused(failure), of: path).description
        == "/p/a.jpg cannot be put into the trash, and stays: Read-only file system (mkdir); choose "
        + "a folder on a writable file system.")
  }
}
