import Foundation
import LinuxSystem
import SQLiteAccess
import TestSupport
import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct LibraryIndexTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("cache/index.sqlite")
  }

  private func catalog(_ count: Int) -> LibraryCatalog {
    var catalog = LibraryCatalog()
    _ = catalog.apply(
      (0..<count).map { number in
        let stamp = FileStamp(
          byteCount: number, modified: Int64(number), changed: -1, fileNumber: .max)
        // A name that is not UTF-8.
        let path = RawPath(bytes: Array("/p/\(number)".utf8) + [0xFF])
        var entry = LibraryEntry(
          path: path, stamp: stamp, kind: [.image, .movie, .other][number % 3])
        entry.captured = Int64(number / 2)
        entry.isLookedAt = number % 2 == 0
        entry.isDateFromFile = number % 5 == 0
        (entry.width, entry.height) = (Int32(number), 7)
        entry.trouble = number % 7 == 0 ? .tooLarge : .none
        return .put(entry)
      })
    _ = catalog.setAlbums([RawPath("/p/a"), RawPath("/p/b")])
    return catalog
  }

  private func made(_ catalog: LibraryCatalog) -> LibraryIndex {
    let index = LibraryIndex(path: path)
    #expect(index.make())
    #expect(index.save(catalog.entries.map(\.path), of: catalog, true))
    return index
  }

  @Test func returnsWhatWasKept() throws {
    let catalog = catalog(50)
    made(catalog).close()

    let index = LibraryIndex(path: path)
    #expect(index.open())
    let kept = try #require(index.load())

    #expect(Set(kept.entries) == Set(catalog.entries))
    #expect(kept.albums == catalog.albums)
    for kinds: Set<LibraryEntry.Kind> in [[.image], [.movie], [.image, .movie], []] {
      #expect(index.page(3..<17, kinds) == catalog.page(3..<17, kinds))
      #expect(index.count(kinds) == catalog.count(kinds))
    }
    // What a library may hold is no secret of all users.
    #expect(try folder.mode(of: "cache") == 0o700)
  }

  @Test func keepsChanges() throws {
    var catalog = catalog(9)
    let index = made(catalog)
    let gone = RawPath(bytes: Array("/p/4".utf8) + [0xFF])
    let difference = catalog.apply([.remove(gone)])

    #expect(index.save(difference.touched, of: catalog, false))

    #expect(index.load()?.entries.contains { $0.path == gone } == false)
    #expect(index.load()?.entries.count == 8)
  }

  @Test(arguments: ["", "no database at all, but a text that is long enough to be read as one"])
  func takesWhatIsNoneForNone(text: String) {
    folder.file("cache/index.sqlite", text)
    let index = LibraryIndex(path: path)

    #expect(!index.open())
    #expect(index.page(0..<9, [.image]) == nil)
    #expect(index.load() == nil)
    #expect(index.make())
    #expect(index.load()?.entries.isEmpty == true)
  }

  @Test func takesAnotherVersionForNone() throws {
    made(catalog(3)).close()
    try SQLiteConnection(path, .readWrite).execute("PRAGMA user_version=99")

    #expect(!LibraryIndex(path: path).open())
  }

  /// Wherever a disk damages it, it answers with rows or with nil.
  @Test(arguments: 0..<8) func survivesDamage(part: Int) throws {
    made(catalog(500)).close()
    let size = try Data(contentsOf: URL(filePath: path)).count
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.seek(toOffset: UInt64(100 + part * (size / 8)))
    try file.write(contentsOf: Data(repeating: 0xA5, count: size / 8))
    try file.close()

    let index = LibraryIndex(path: path)
    let isOpen = index.open()
    _ = index.page(0..<100, [.image, .movie])
    _ = index.load()

    if !isOpen { #expect(index.page(0..<1, [.image]) == nil) }
    #expect(index.make())
  }

  @Test func worksWithoutAFolderToWriteTo() {
    folder.file("cache", "a file")

    #expect(!LibraryIndex(path: path).make())
  }
}
