import Foundation
import Glibc
import Imaging
import LinuxSystem
import TestSupport
import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct PhotoLibraryAddingTests {
  private let pictures: PictureFolder
  private static let moment = 1_796_117_415.0

  init() throws { pictures = try PictureFolder() }

  private func names(in folder: String = "pictures") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: pictures.folder.path(folder)).sorted()
  }

  @Test func keepsTheBytesUnderTheMomentsNameWithItsDate() async throws {
    let library = try pictures.library()
    let data = try PictureFolder.jpeg(taken: Self.moment)

    let assets = [
      try await library.add(Image(data)), try await library.add(Image(data)),
      try await library.add(Image(data)),
    ]

    #expect(
      pictures.names(assets) == [
        "IMG_20261201_093015.jpg", "IMG_20261201_093015-1.jpg", "IMG_20261201_093015-2.jpg",
      ])
    #expect(try Data(contentsOf: assets[1].url) == data)
    let attributes = try FileManager.default.attributesOfItem(atPath: assets[0].url.path)
    #expect(attributes[.modificationDate] as? Date == Date(timeIntervalSince1970: Self.moment))
    #expect(assets[0].captureDate == Date(timeIntervalSince1970: Self.moment))
    #expect(!assets[0].isDateFromFile)
    #expect(Set(try await library.assets(range: 0..<9)) == Set(assets))
  }

  @Test func isInTheListWhenItReturnsAndStays() async throws {
    let library = try pictures.library()
    // Before, while and after the folders are read.
    for number in 1...20 {
      let asset = try await library.add(Image(PictureFolder.jpeg(taken: Double(number))))
      #expect(try await library.assets(range: 0..<1) == [asset])
      #expect(try await library.assetCount() == number)
    }
    try await library.settled()
    #expect(try await library.assetCount() == 20)
  }

  @Test func encodesAPictureThatHasNoBytes() async throws {
    let library = try pictures.library()

    let asset = try await library.add(Image(PictureFolder.pixels(8, 4)))

    #expect(asset.pixelSize == PixelSize(width: 8, height: 4))
    #expect(asset.url.pathExtension == "jpg")
  }

  @Test func putsIntoAnAlbumAndNowhereElse() async throws {
    pictures.folder.folder("pictures/trip")
    let library = try pictures.library()
    let album = try #require(try await library.albums().first)
    let image = try Image(PictureFolder.jpeg(taken: Self.moment))

    let asset = try await library.add(image, to: album)

    #expect(asset.album == album.id)
    #expect(try await library.albums().first?.assetCount == 1)
    let foreign = PhotoLibrary.Album(
      id: pictures.path + "/../cache", url: pictures.cache, title: "cache", assetCount: 0,
      cover: nil)
    let refused = await #expect(throws: LibraryError.self) {
      try await library.add(image, to: foreign)
    }
    #expect(refused?.code == .outsideLibrary)
    pictures.folder.remove("pictures/trip")
    let missing = await #expect(throws: LibraryError.self) {
      try await library.add(image, to: album)
    }
    #expect(missing?.code == .noFolder)
  }

  @Test func movesAMovieOrCopiesIt() async throws {
    let library = try pictures.library()
    let movie = pictures.folder.file("shot.MKV", "\u{1A}movie")
    PictureFolder.setModified(movie, Self.moment)

    let copied = try await library.add(movieAt: URL(filePath: movie), copying: true)
    #expect(FileManager.default.fileExists(atPath: movie))
    let moved = try await library.add(movieAt: URL(filePath: movie))

    #expect(!FileManager.default.fileExists(atPath: movie))
    #expect(copied.url.lastPathComponent.hasPrefix("VID_2026120"))
    #expect(copied.url.pathExtension == "mkv")
    #expect(
      moved.url.lastPathComponent == copied.url.deletingPathExtension().lastPathComponent + "-1.mkv"
    )
    #expect(moved.mediaType == .movie)
    for asset in [copied, moved] {
      #expect(try Data(contentsOf: asset.url) == Data("\u{1A}movie".utf8))
      #expect(asset.captureDate == Date(timeIntervalSince1970: Self.moment))
    }
    let gone = await #expect(throws: LibraryError.self) {
      try await library.add(movieAt: URL(filePath: movie))
    }
    #expect(gone?.code == .cannotRead)
  }

  @Test func putsPicturesAndMoviesIntoTheirFolders() async throws {
    let home = pictures.folder.path("home")
    let folders = UserFolders(
      lines: [#"XDG_PICTURES_DIR="$HOME/Bilder""#, #"XDG_VIDEOS_DIR="$HOME/Bilder/Filme""#],
      home: home)
    let library = try PhotoLibrary(folders, cache: pictures.cache.path)
    let movie = pictures.folder.file("shot.mkv", "\u{1A}movie")

    let image = try await library.add(Image(PictureFolder.jpeg(taken: 1)))
    let video = try await library.add(movieAt: URL(filePath: movie))
    try await library.settled()

    #expect(image.url.path.hasPrefix(home + "/Bilder/IMG_"))
    #expect(video.url.path.hasPrefix(home + "/Bilder/Filme/VID_"))
    // The one within the other: each file once.
    #expect(try await library.assetCount() == 2)
    let off = UserFolders(
      lines: [#"XDG_PICTURES_DIR="$HOME/""#, #"XDG_VIDEOS_DIR="$HOME""#], home: home)
    let refused = #expect(throws: LibraryError.self) {
      try PhotoLibrary(off, cache: pictures.cache.path)
    }
    #expect(refused?.code == .noFolder)
  }

  @Test func saysWhyNothingCanBeAddedAndLeavesNothing() async throws {
    pictures.folder.remove("pictures")
    pictures.folder.file("pictures", "a file")
    let library = try pictures.library()
    let image = try Image(PictureFolder.jpeg(taken: 1))

    let error = await #expect(throws: LibraryError.self) { try await library.add(image) }

    #expect(error?.code == .noFolder)
    #expect(error?.errno == ENOTDIR)
    #expect(error?.description.contains(pictures.path) == true)
  }

  // MARK: - Other processes

  private static let worker = Worker.path(of: "photo-library-worker")

  @Test func neverWritesOverWhatAnotherProcessAdds() throws {
    let workers = try (0..<3).map { _ in
      try Worker.start([Self.worker, "add", pictures.path, pictures.cache.path, "40"])
    }
    for worker in workers { #expect(try Worker.wait(for: worker).text == "added") }

    #expect(try names().count == 120)
    #expect(try names().contains("IMG_20261201_093015-119.jpg"))
  }

  @Test func leavesWholeFilesOnlyWhenItIsKilled() throws {
    for round in 0..<5 {
      let worker = try Worker.start([Self.worker, "churn", pictures.path, pictures.cache.path])
      _ = try worker.output.fileHandleForReading.read(upToCount: 6)
      // Not always at the same moment.
      while try names().count < (round + 1) * 7 {}
      kill(worker.process.processIdentifier, SIGKILL)
      _ = try Worker.wait(for: worker)
    }

    for name in try names() {
      #expect(name.hasPrefix("IMG_"))
      let image = try Image(contentsOf: URL(filePath: pictures.path + "/" + name))
      #expect(try image.pixelBuffer().width == 64)
    }
  }

  @Test(.enabled(if: Worker.canMount)) func saysThatTheDiskIsFull() throws {
    let result = try Worker.runMounting(
      """
      mount -t tmpfs -o size=64k tmpfs '\(pictures.path)'
      '\(Self.worker)' add '\(pictures.path)' '\(pictures.cache.path)' 100 || true
      ls -A '\(pictures.path)' | grep -vc '^IMG_' || true
      """)

    #expect(result.text.contains("No space left on device"))
    #expect(result.text.hasSuffix("\n0"))
  }

  @Test(.enabled(if: Worker.canMount)) func movesAMovieToAnotherDisk() throws {
    let movie = pictures.folder.file("shot.mkv", "\u{1A}" + String(repeating: "movie", count: 9000))
    let result = try Worker.runMounting(
      """
      mount -t tmpfs tmpfs '\(pictures.path)'
      '\(Self.worker)' move '\(pictures.path)' '\(pictures.cache.path)' '\(movie)'
      test ! -e '\(movie)'
      cat '\(pictures.path)'/VID_* | wc -c
      """)

    #expect(result.text.hasSuffix("45001"))
  }

  @Test(.enabled(if: Worker.canMount)) func keepsTheMovieWhereTheOtherDiskIsFull() throws {
    let movie = pictures.folder.file("shot.mkv", String(repeating: "movie", count: 90_000))
    let result = try Worker.runMounting(
      """
      mount -t tmpfs -o size=64k tmpfs '\(pictures.path)'
      '\(Self.worker)' move '\(pictures.path)' '\(pictures.cache.path)' '\(movie)' || true
      wc -c < '\(movie)'; ls -A '\(pictures.path)' | wc -l
      """)

    #expect(result.text.contains("No space left on device"))
    #expect(result.text.hasSuffix("450000\n0"))
  }

  @Test(.enabled(if: Worker.canMount)) func saysThatTheFolderIsReadOnly() throws {
    let result = try Worker.runMounting(
      """
      mount -t tmpfs -o ro tmpfs '\(pictures.path)'
      '\(Self.worker)' add '\(pictures.path)' '\(pictures.cache.path)' 1 || true
      """)

    #expect(result.text.contains("Read-only file system"))
  }
}
