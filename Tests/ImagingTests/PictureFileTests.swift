import Foundation
import TestSupport
import Testing

@testable import Imaging

/// Files that are pictures, and files that are none: the same answers for a picture and for a
/// thumbnail.
@Suite(.timeLimit(.minutes(1)))
struct PictureFileTests {
  private typealias Reading = @Sendable (_ url: URL, _ limits: Image.Limits) throws -> Image

  /// Both ways in.
  private static let readings: [Reading] = [
    { try Image(contentsOf: $0, limits: $1) },
    { try Image.thumbnail(contentsOf: $0, maxPixelSize: 64, limits: $1) },
  ]

  private func errors(_ url: URL, _ limits: Image.Limits = .standard) -> [ImagingError] {
    Self.readings.compactMap { reading in
      do {
        _ = try reading(url, limits)
        Issue.record("\(url) was read")
        return nil
      } catch {
        return error as? ImagingError
      }
    }
  }

  private func jpeg() throws -> Data {
    try JPEGEncoder().encode(Scene.gradient(width: 96, height: 64).pixels(.nv12))
  }

  @Test func saysThatThereIsNoFile() {
    for path in ["/nowhere/picture.jpg", "/etc/passwd/picture.jpg", "/tmp/picture\0.jpg"] {
      for error in errors(URL(filePath: path)) {
        #expect(error.code == .unreadable && [ENOENT, ENOTDIR].contains(error.errno))
        #expect(error.description.contains("picture") && error.description.contains("path"))
      }
    }
  }

  @Test func saysThatAFolderIsNoPicture() throws {
    let folder = try ScratchFolder()
    for error in errors(folder.url) {
      #expect(error.code == .unreadable && error.errno == EISDIR)
      #expect(error.description.contains("\(folder.url.path) is a folder"))
    }
  }

  @Test func waitsForNoPipeAndReadsNoDevice() throws {
    let folder = try ScratchFolder()
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    for path in [folder.path("pipe"), "/dev/zero", "/dev/null"] {
      for error in errors(URL(filePath: path)) {
        #expect(error.code == .unreadable && error.errno == nil)
        #expect(error.description.contains("\(path) is no regular file"))
      }
    }
  }

  @Test func takesNoFileOfTheNetworksForOneHere() throws {
    let folder = try ScratchFolder()
    let path = try folder.file("here.jpg", jpeg())
    for error in errors(try require(URL(string: "http://localhost\(path)"))) {
      #expect(error.code == .unreadable && error.errno == nil)
      #expect(error.description.contains("http://localhost\(path) is no file"))
    }
  }

  @Test(.enabled(if: getuid() != 0, "root may read all files"))
  func saysThatAFileMayNotBeRead() throws {
    let folder = try ScratchFolder()
    let path = try folder.file("secret.jpg", jpeg())
    #expect(chmod(path, 0) == 0)
    for error in errors(URL(filePath: path)) {
      #expect(error.code == .unreadable && error.errno == EACCES)
      #expect(error.description.contains(path) && error.description.contains("permissions"))
    }
  }

  @Test func namesTheFileWhateverIsWrongWithIt() throws {
    let folder = try ScratchFolder()
    let text = Data("no picture at all, but text".utf8)
    let files: [(String, Data, ImagingError.Code)] = [
      ("empty.jpg", Data(), .corrupt), ("text.jpg", text, .corrupt),
      ("cut.jpg", try jpeg().prefix(100).copied, .incomplete),
      ("cut.png", Data([0x89]) + Data("PNG\r\n\u{1A}\n".utf8), .incomplete),
      ("some.gif", Data("GIF89a\u{1}\u{0}\u{1}\u{0}".utf8), .unsupported),
    ]
    for (name, data, code) in files {
      let path = try folder.file(name, data)
      for error in errors(URL(filePath: path)) {
        #expect(error.code == code && error.description.contains(path), "\(error)")
        #expect(data.isEmpty == error.description.contains("empty"))
      }
    }
    let bytes = #expect(throws: ImagingError.self) { try Image(Data()) }
    #expect(bytes?.code == .corrupt && bytes?.description.contains("no bytes") == true)
  }

  @Test func readsNoMoreThanIsAllowed() throws {
    let folder = try ScratchFolder()
    let png = PNGBytes(width: 9, height: 9, colorType: 0, depth: 8) { x, _, _ in x }.data
    let url = URL(filePath: try folder.file("small.png", png))
    // The picture itself takes less.
    let allowed = 1 << 20
    let padded = png + Data(count: allowed - png.count)
    try padded.write(to: url)
    for reading in Self.readings {
      #expect(try reading(url, .init(memoryByteCount: allowed)).pixelWidth == 9)
    }
    for error in errors(url, .init(memoryByteCount: allowed - 1)) {
      #expect(error.code == .tooLarge && error.description.contains("memoryByteCount"))
      #expect(error.description.contains(url.path))
    }
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: 1 << 40)
    try handle.close()
    #expect(errors(url).map(\.code) == [.tooLarge, .tooLarge])
  }

  /// The kernel says of such files that they have no bytes.
  @Test func readsFilesThatAreLongerThanTheySeem() throws {
    let count = try Data(contentsOf: URL(filePath: "/proc/self/maps")).count
    for error in errors(URL(filePath: "/proc/self/maps")) {
      #expect(error.code == .corrupt && !error.description.contains("empty"))
    }
    try #require(count > 1000)
    let error = #expect(throws: ImagingError.self) {
      try Image(contentsOf: URL(filePath: "/proc/self/maps"), limits: .init(memoryByteCount: 1000))
    }
    #expect(error?.code == .tooLarge)
  }

  @Test func countsMetadataOfAFileAsOfItsBytes() throws {
    let folder = try ScratchFolder()
    var metadata = ImageMetadata()
    metadata.make = "Maker"
    let jpeg = try JPEGEncoder().encode(
      Scene.gradient(width: 96, height: 64).pixels(.nv12), metadata: metadata)
    let padded = jpeg.insertingSegment(0xFE, [UInt8](repeating: 0x20, count: 60_000))
      .insertingSegment(0xEE, Array("Adobe\0d\0\0\0\0\u{1}".utf8) + [UInt8](repeating: 1, count: 9))
      .insertingSegment(0xE2, Array("MPF\0".utf8) + [UInt8](repeating: 1, count: 900))
      .insertingSegment(0xE0, Array("JFIF\0\u{1}\u{2}\0\0\u{1}\0\u{1}\0\0".utf8))
    let url = URL(filePath: try folder.file("wordy.jpg", padded))
    let count = try JPEGStructure(headersOf: padded.bytes).metadataByteCount

    for error in errors(url, .init(metadataByteCount: count - 1)) {
      #expect(error.code == .tooLarge && error.description.contains("metadata"), "\(error)")
      #expect(error.description.contains(url.path))
    }
    for reading in Self.readings {
      let image = try reading(url, .init(metadataByteCount: count))
      #expect(try image.pixelBuffer().bgra(0, 0)[3] == 255)
    }
  }

  @Test func leavesNoFileOpen() throws {
    let folder = try ScratchFolder()
    let files = try [
      folder.file("whole.jpg", jpeg()), folder.file("cut.jpg", jpeg().prefix(200).copied),
      folder.file("text", Data("no picture at all, but text".utf8)), folder.file("empty", Data()),
      folder.path("nowhere"), folder.url.path,
    ]
    let before = ProcessMemory.descriptorCount
    for path in files {
      for reading in Self.readings { _ = try? reading(URL(filePath: path), .standard) }
    }
    #expect(ProcessMemory.descriptorCount == before)
  }
}
