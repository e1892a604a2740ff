import Foundation
import Glibc
import Imaging
import LinuxSystem
import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct MediaLookTests {
  private let pictures: PictureFolder

  init() throws { pictures = try PictureFolder() }

  private func look(_ name: String, _ data: Data) throws -> LibraryEntry? {
    let path = RawPath(try pictures.put(name, data, modified: 1_000_000))
    let stamp = try #require(try FileStamp(ofFile: path))
    return MediaLook.look(
      at: LibraryEntry(path: path, stamp: stamp, kind: MediaNames.kind(path)))
  }

  @Test func readsDateAndSizeAsShown() throws {
    let entry = try #require(
      try look("a.jpg", PictureFolder.jpeg(taken: 1_700_000_000, orientation: .right)))

    #expect(entry.captured == 1_700_000_000_000_000)
    #expect(!entry.isDateFromFile)
    #expect(entry.width == 16)
    #expect(entry.height == 24)
    #expect(entry.trouble == .none)
    #expect(entry.isLookedAt)
  }

  @Test func goesByTheFilesDateWhereThePictureSaysNone() throws {
    let entry = try #require(try look("a.jpg", PictureFolder.jpeg()))

    #expect(entry.captured == 1_000_000_000_000)
    #expect(entry.isDateFromFile)
  }

  @Test(arguments: ["a.png", "a.mp4", "a", "a.txt"])
  func tellsAPictureByItsContent(name: String) throws {
    let entry = try #require(try look(name, PictureFolder.jpeg(taken: 5)))

    #expect(entry.kind == .image)
    #expect(entry.trouble == .none)
    #expect(entry.captured == 5_000_000)
  }

  @Test(arguments: [
    ("a.jpg", Data(), LibraryEntry.Kind.image, LibraryEntry.Trouble.unsupported),
    ("a.jpg", Data("no picture".utf8), .image, .unsupported),
    ("a.jpg", Data([0xFF, 0xD8, 0xFF, 0xE1, 0xFF]), .image, .unsupported),
    ("a.gif", Data("GIF89a and more that nobody can read here".utf8), .image, .unsupported),
    ("a.mkv", Data(), .movie, .unsupported),
    ("a.txt", Data("words".utf8), .other, .none),
    ("a", Data(), .other, .none),
    ("b.jpg", Data([0x1A, 0x45, 0xDF, 0xA3, 0, 0, 0, 0]), .movie, .none),
    ("b", Data([0, 0, 0, 24]) + Data("ftypisom0000isom".utf8), .movie, .none),
    ("b", Data([0, 0, 0, 24]) + Data("ftypM4A 0000isom".utf8), .other, .none),
    ("b.bin", Data("RIFF0000AVI LIST".utf8), .movie, .none),
  ])
  func marksWhatCannotBeShown(
    name: String, data: Data, kind: LibraryEntry.Kind, trouble: LibraryEntry.Trouble
  ) throws {
    let entry = try #require(try look(name, data))

    #expect(entry.kind == kind)
    #expect(entry.trouble == trouble)
    #expect(entry.isDateFromFile)
    #expect(entry.captured == 1_000_000_000_000)
  }

  /// A header that claims 65 500 × 65 500 pixels; the date is right all the same.
  @Test func marksAHugePictureWithoutDecodingIt() throws {
    var jpeg = try PictureFolder.jpeg(taken: 7)
    let frame = try #require(
      jpeg.indices.dropLast(9).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
    for place in [5, 7] {
      jpeg[frame + place] = 0xFF
      jpeg[frame + place + 1] = 0xDC
    }

    let entry = try #require(try look("a.jpg", jpeg))

    #expect(entry.trouble == .tooLarge)
    #expect(entry.width == 0)
    #expect(entry.captured == 7_000_000)
  }

  @Test func readsOnWhereTheHeadersAreLong() throws {
    let jpeg = try PictureFolder.jpeg(taken: 9)
    let comment = Data([0xFF, 0xFE, 0xFF, 0xFF]) + Data(repeating: 0x20, count: 0xFFFD)
    var long = jpeg.prefix(2)
    for _ in 0..<5 { long += comment }
    long += jpeg.dropFirst(2)

    let entry = try #require(try look("a.jpg", long))

    #expect(entry.captured == 9_000_000)
    #expect(entry.width == 24)
  }

  @Test func knowsThatAFileHasGone() throws {
    let path = RawPath(pictures.path + "/none.jpg")
    let stamp = FileStamp(byteCount: 1, modified: 0, changed: 0, fileNumber: 1)

    #expect(MediaLook.look(at: LibraryEntry(path: path, stamp: stamp, kind: .image)) == nil)
  }

  @Test func neverWaitsForAPipe() throws {
    let path = pictures.path + "/pipe.jpg"
    #expect(mkfifo(path, 0o600) == 0)
    let stamp = FileStamp(byteCount: 1, modified: 0, changed: 0, fileNumber: 1)

    let entry = MediaLook.look(at: LibraryEntry(path: RawPath(path), stamp: stamp, kind: .image))

    #expect(entry?.trouble == .cannotRead)
  }
}
