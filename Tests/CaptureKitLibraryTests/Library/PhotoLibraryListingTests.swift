import Foundation
import Glibc
import Imaging
import LinuxSystem
import TestSupport
import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct PhotoLibraryListingTests {
  private let pictures: PictureFolder

  init() throws { pictures = try PictureFolder() }

  @Test func listsByCaptureDateAndOtherwiseByTheFiles() async throws {
    try pictures.put("old.jpg", PictureFolder.jpeg(taken: 1000), modified: 9000)
    try pictures.put("new.jpg", PictureFolder.jpeg(taken: 3000), modified: 1)
    try pictures.put("trip/middle.jpg", PictureFolder.jpeg(), modified: 2000)
    try pictures.put("movie.mkv", Data([0x1A, 0x45, 0xDF, 0xA3]), modified: 1500)
    try pictures.put("notes.txt", Data("words".utf8))
    let library = try pictures.library()

    try await library.settled()
    let assets = try await library.assets(range: 0..<100)

    #expect(pictures.names(assets) == ["new.jpg", "trip/middle.jpg", "movie.mkv", "old.jpg"])
    #expect(assets.map(\.isDateFromFile) == [false, true, true, false])
    #expect(assets[0].captureDate == Date(timeIntervalSince1970: 3000))
    #expect(assets[0].pixelSize == PixelSize(width: 24, height: 16))
    #expect(assets[0].album == nil)
    #expect(assets[2].mediaType == .movie)
    #expect(try await library.assetCount() == 4)
    #expect(try await library.assetCount(mediaTypes: [.movie]) == 1)
    #expect(
      pictures.names(try await library.assets(mediaTypes: [.image], range: 1..<2)) == [
        "trip/middle.jpg"
      ])
    #expect(try await library.asset(withID: assets[1].id) == assets[1])
    #expect(try await library.asset(withID: "/etc/passwd") == nil)
  }

  @Test func hasFoldersForAlbums() async throws {
    try pictures.put("a.jpg", PictureFolder.jpeg(taken: 1))
    try pictures.put("trip/b.jpg", PictureFolder.jpeg(taken: 2))
    try pictures.put("trip/c.mkv", Data([0x1A, 0x45, 0xDF, 0xA3]), modified: 5)
    try pictures.put("trip/day/d.jpg", PictureFolder.jpeg(taken: 3))
    pictures.folder.folder("pictures/empty")
    let library = try pictures.library()

    try await library.settled()
    let albums = try await library.albums()

    #expect(albums.map(\.title) == ["empty", "trip", "day"])
    #expect(albums.map(\.assetCount) == [0, 2, 1])
    // A picture rather than a movie, though that is newer.
    #expect(albums[1].cover?.url.lastPathComponent == "b.jpg")
    let trip = try await library.assets(in: albums[1], range: 0..<9)
    #expect(pictures.names(trip) == ["trip/c.mkv", "trip/b.jpg"])
    #expect(trip[0].album == albums[1].id)
    #expect(try await library.assetCount(in: albums[0]) == 0)
  }

  /// Whatever lies there is listed or left out; nothing stops the others.
  @Test func livesWithOddFiles() async throws {
    try pictures.put("good.jpg", PictureFolder.jpeg(taken: 9000))
    try pictures.put("empty.jpg", Data(), modified: 8000)
    try pictures.put("damaged.jpg", PictureFolder.jpeg(taken: 5).prefix(40), modified: 7000)
    try pictures.put("line\nbreak.jpg", PictureFolder.jpeg(taken: 6000))
    let long = String(repeating: "l", count: 251) + ".jpg"
    try pictures.put(long, PictureFolder.jpeg(taken: 5000))
    try pictures.put("100%.jpg", PictureFolder.jpeg(taken: 4000))
    mkfifo(pictures.path + "/pipe.jpg", 0o600)
    symlink("nothing", pictures.path + "/dangling.jpg")
    symlink("..", pictures.path + "/loop")
    let library = try pictures.library()

    try await library.settled()
    let assets = try await library.assets(range: 0..<100)

    #expect(
      pictures.names(assets) == [
        "good.jpg", "empty.jpg", "damaged.jpg", "line\nbreak.jpg", long, "100%.jpg",
      ])
    #expect(
      assets.map(\.trouble) == [nil, .unsupportedPicture, .unsupportedPicture, nil, nil, nil])
    #expect(throws: LibraryError.self) { try library.image(of: assets[2]).pixelBuffer() }
    for asset in [assets[3], assets[4], assets[5]] {
      #expect(try library.image(of: asset).pixelWidth == 24)
      #expect(try await library.thumbnail(of: asset, maxPixelSize: 8).pixelWidth == 8)
    }
  }

  @Test func showsPicturesWhoseNamesAreNotUTF8() async throws {
    let path = RawPath(pictures.path).appending([0x61, 0xFF, 0xFE] + Array(".jpg".utf8))
    let file = try UnnamedFile(in: RawPath(pictures.path))
    try file.write(PictureFolder.jpeg(taken: 5).bytes)
    let temporary = try file.publish(["a.jpg"])
    try RawFile.moveToFree(temporary, to: path)
    let library = try pictures.library()

    try await library.settled()
    let asset = try #require(try await library.assets(range: 0..<9).first)

    #expect(asset.id.hasSuffix("/a%FF%FE.jpg"))
    #expect(asset.url.absoluteString.hasSuffix("/a%FF%FE.jpg"))
    #expect(try library.image(of: asset).pixelWidth == 24)
    #expect(try await library.thumbnail(of: asset, maxPixelSize: 12).pixelWidth == 12)
  }

  @Test func answersFromTheIndexBeforeItHasReadTheFolders() async throws {
    for number in 0..<30 {
      try pictures.put("\(number).jpg", PictureFolder.jpeg(taken: Double(number)))
    }
    var first = Optional(try pictures.library())
    try await first?.settled()
    let expected = try await first?.assets(range: 5..<15)
    let saved = try #require(first?.core.indexPath)
    first = nil
    let kept = LibraryIndex(path: saved)
    while !kept.open() || kept.count([.image]) != 30 { await Task.yield() }
    // Without its keeper only the index can answer.
    let core = LibraryCore(
      roots: [RawPath(pictures.path)], cache: pictures.cache.path, limits: FolderWalk.Limits())
    #expect(core.indexPath == saved)

    let page = await core.earlyPage(5..<15, [.image, .movie])

    #expect(page?.map(\.path.url) == expected?.map(\.url))
    #expect(page?.allSatisfy { $0.isLookedAt } == true)
  }

  @Test func readsOnlyWhatHasChangedSinceTheLastTime() async throws {
    try pictures.put("same.jpg", PictureFolder.jpeg(taken: 1000))
    let changed = try pictures.put("changed.jpg", PictureFolder.jpeg(taken: 2000))
    try pictures.put("gone.jpg", PictureFolder.jpeg(taken: 3000))
    var library = try pictures.library()
    try await library.settled()
    // The same size and date: only the time of the last change tells.
    let date = try #require(
      FileManager.default.attributesOfItem(atPath: changed)[.modificationDate] as? Date)
    library = try pictures.library()
    try PictureFolder.jpeg(taken: 4000).write(to: URL(filePath: changed))
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: changed)
    pictures.folder.remove("pictures/gone.jpg")
    try pictures.put("new.jpg", PictureFolder.jpeg(taken: 1500))
    library = try pictures.library()

    try await library.settled()

    let assets = try await library.assets(range: 0..<9)
    #expect(pictures.names(assets) == ["changed.jpg", "new.jpg", "same.jpg"])
  }

  @Test func isEmptyWithoutItsFolderAndFindsItWhenItComes() async throws {
    pictures.folder.remove("pictures")
    let library = try pictures.library()
    try await library.settled()
    #expect(try await library.assets(range: 0..<9).isEmpty)
    #expect(try await library.albums().isEmpty)

    let asset = try await library.add(Image(PictureFolder.jpeg(taken: 5)))

    #expect(try await library.assets(range: 0..<9) == [asset])
  }

  @Test func worksWithoutACache() async throws {
    try pictures.put("a.jpg", PictureFolder.jpeg(taken: 1))
    pictures.folder.file("cache", "a file")
    let library = try pictures.library()

    try await library.settled()
    let asset = try #require(try await library.assets(range: 0..<9).first)

    #expect(try await library.thumbnail(of: asset, maxPixelSize: 8).pixelWidth == 8)
  }

  @Test func worksAgainWhereTheIndexIsDamaged() async throws {
    for number in 0..<300 {
      try pictures.put("\(number).jpg", Data("no picture".utf8), modified: Double(number))
    }
    var library = Optional(try pictures.library())
    try await library?.settled()
    let index = try #require(library?.core.indexPath)
    library = nil
    let other = LibraryIndex(path: index)
    while !other.open() || other.count([.image]) != 300 { await Task.yield() }
    other.close()
    let size = try Data(contentsOf: URL(filePath: index)).count
    let file = try FileHandle(forWritingTo: URL(filePath: index))
    try file.seek(toOffset: 4096)
    try file.write(contentsOf: Data(repeating: 0x5A, count: max(0, size - 4096)))
    try file.close()

    let again = try pictures.library()
    try await again.settled()

    #expect(try await again.assetCount() == 300)
    #expect(pictures.names(try await again.assets(range: 0..<2)) == ["299.jpg", "298.jpg"])
  }

  @Test func refusesWhatIsNoFolder() throws {
    #expect(throws: LibraryError.self) { try PhotoLibrary(folders: []) }
    #expect(throws: LibraryError.self) {
      try PhotoLibrary(folders: [try #require(URL(string: "https://example.org"))])
    }
  }

  @Test func endsWaitsOfCancelledTasks() async throws {
    let core = LibraryCore(
      roots: [RawPath(pictures.path)], cache: pictures.cache.path, limits: FolderWalk.Limits())
    let task = Task { try await core.wait(for: .settled) }
    task.cancel()

    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func letsGoOfItsThreadWithTheLibrary() async throws {
    weak var core: LibraryCore?
    do {
      let library = try pictures.library()
      core = library.core
      try await library.settled()
    }
    while core != nil { await Task.yield() }
  }
}
