import Foundation
import Imaging
import LinuxSystem
import TestSupport
import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct PhotoLibraryThumbnailTests {
  private let pictures: PictureFolder

  init() throws { pictures = try PictureFolder() }

  private func first(_ library: PhotoLibrary) async throws -> PhotoLibrary.Asset {
    try await library.settled()
    return try #require(try await library.assets(range: 0..<9).first)
  }

  private func kept() -> [String] {
    let files = (try? pictures.folder.allFiles(in: "cache/thumbnails")) ?? []
    return files.filter { $0.hasSuffix(".jpg") && !$0.contains("/") }
  }

  @Test func isUprightAndOfTheSizeThatWasAskedFor() async throws {
    try pictures.put(
      "a.jpg", PictureFolder.jpeg(taken: 1, orientation: .right, width: 640, height: 480))
    let library = try pictures.library()
    let asset = try await first(library)

    for size in [32, 320, 600] {
      let small = try await library.thumbnail(of: asset, maxPixelSize: size)
      #expect(small.size == PixelSize(width: size * 3 / 4, height: size))
      #expect(small.orientation == .up)
    }
    #expect(try await library.thumbnail(of: asset, maxPixelSize: 9000).size.height == 640)
    #expect(kept().count == 2)
    await #expect(throws: LibraryError.self) {
      try await library.thumbnail(of: asset, maxPixelSize: 0)
    }
  }

  @Test func isNotMadeAgainAndGoesWithTheFile() async throws {
    let path = try pictures.put("a.jpg", PictureFolder.jpeg(taken: 1, width: 640, height: 480))
    let library = try pictures.library()
    let asset = try await first(library)
    _ = try await library.thumbnail(of: asset, maxPixelSize: 100)
    let before = kept()
    #expect(before.count == 1)

    // What is shown comes from the cache: this is another picture of the same stamp.
    let stamp = try #require(try FileStamp(ofFile: RawPath(path)))
    let other = try pictures.library()
    _ = try await other.thumbnail(of: asset, maxPixelSize: 90)
    #expect(kept() == before)
    #expect(stamp.byteCount == asset.byteCount)

    var changes = library.changes.makeAsyncIterator()
    try FileManager.default.removeItem(atPath: path)
    while try await library.assetCount() > 0 { _ = await changes.next() }
    while !kept().isEmpty { await Task.yield() }
  }

  @Test func isAnotherOneForAnotherPictureOfTheSameName() async throws {
    let path = try pictures.put("a.jpg", PictureFolder.jpeg(taken: 1, width: 640, height: 480))
    let library = try pictures.library()
    let asset = try await first(library)
    #expect(try await library.thumbnail(of: asset, maxPixelSize: 64).size.height == 48)

    try PictureFolder.jpeg(taken: 1, width: 480, height: 640).write(to: URL(filePath: path))

    #expect(try await library.thumbnail(of: asset, maxPixelSize: 64).size.height == 64)
  }

  @Test func keepsTransparency() async throws {
    let layout = try #require(PixelLayout(format: .bgra, width: 40, height: 40))
    let bytes = [[UInt8]](repeating: [0, 0, 255, 64], count: 1600)
    let pixels = try #require(PixelBuffer(layout: layout, bytes: Array(bytes.joined())))
    try pictures.put("a.png", try #require(Image(pixels).pngData()))
    let library = try pictures.library()

    let small = try await library.thumbnail(of: first(library), maxPixelSize: 10)

    let alpha = try small.pixelBuffer().bytes(ofPlane: 0).unsafeLoad(
      fromByteOffset: 3, as: UInt8.self)
    #expect(alpha == 64)
  }

  @Test func isMadeOnceForManyAndNotForThoseWhoLeft() async throws {
    for number in 0..<20 {
      try pictures.put(
        "\(number).jpg", PictureFolder.jpeg(taken: Double(number), width: 800, height: 600))
    }
    let library = try pictures.library()
    try await library.settled()
    let assets = try await library.assets(range: 0..<20)

    try await withThrowingTaskGroup(of: Int.self) { group in
      for asset in assets + assets + assets {
        group.addTask { try await library.thumbnail(of: asset, maxPixelSize: 64).pixelWidth }
      }
      for try await width in group { #expect(width == 64) }
    }
    #expect(kept().count == 20)

    let tasks = assets.map { asset in
      Task { try await library.thumbnail(of: asset, maxPixelSize: 3000) }
    }
    for task in tasks { task.cancel() }
    for task in tasks {
      // Some may have been made before.
      switch await task.result {
      case .success(let image): #expect(image.pixelWidth == 800)
      case .failure(let error): #expect(error is CancellationError)
      }
    }
  }

  @Test func saysWhyThereIsNone() async throws {
    try pictures.put("a.jpg", Data("no picture".utf8))
    let library = try pictures.library()
    let asset = try await first(library)

    let damaged = await #expect(throws: LibraryError.self) {
      try await library.thumbnail(of: asset, maxPixelSize: 64)
    }
    #expect(damaged?.code == .unsupportedPicture)
    #expect(damaged?.description.contains("a.jpg") == true)
    pictures.folder.remove("pictures/a.jpg")
    let gone = await #expect(throws: LibraryError.self) {
      try await library.thumbnail(of: asset, maxPixelSize: 64)
    }
    #expect(gone?.code == .noAsset)
  }
}
