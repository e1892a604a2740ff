import Foundation
import TestSupport
import Testing

@testable import LinuxSystem

@Suite(.timeLimit(.minutes(1)))
struct FolderWatchesTests {
  private let folder: TemporaryFolder
  private let watches: FolderWatches

  init() throws {
    folder = try TemporaryFolder()
    watches = try FolderWatches()
  }

  private func add(_ name: String) throws -> FolderWatches.Number {
    try watches.add(RawPath(folder.folder(name)))
  }

  @Test func tellsFilesFromFoldersInEachFolder() throws {
    let (one, two) = (try add("one"), try add("two"))

    folder.file("one/a", "text")
    folder.file("one/.hidden")
    folder.folder("two/sub")
    let events = watches.wait(until: nil)

    #expect(one != two)
    #expect(events.files == [one: [Array("a".utf8)]])
    #expect(events.folders == [two: [Array("sub".utf8)]])
    #expect(events.ended.isEmpty)
    #expect(!events.isIncomplete)
  }

  @Test func saysWhenAFolderIsGoneOrHasMoved() throws {
    let (one, two) = (try add("one"), try add("two"))

    folder.remove("one")
    try FileManager.default.moveItem(atPath: folder.path("two"), toPath: folder.path("three"))

    #expect(watches.wait(until: nil).ended == [one, two])
  }

  @Test func isQuietAfterAWatchEnds() throws {
    let number = try add("one")
    watches.remove(number)

    folder.file("one/a")

    #expect(watches.wait(until: nil).ended == [number])
    #expect(watches.wait(until: 0).isEmpty)
  }

  @Test func returnsWhenItIsInterruptedAndWhenTheTimeIsUp() throws {
    watches.interrupt()
    #expect(watches.wait(until: nil).isEmpty)
    #expect(watches.wait(until: watches.now + 1_000_000).isEmpty)
  }

  @Test func refusesAFileAndALink() {
    folder.file("file")
    folder.folder("folder")
    folder.link("link", to: "folder")

    for name in ["file", "link", "none"] {
      #expect(throws: FileFailure.self) { try watches.add(RawPath(folder.path(name))) }
    }
    #expect(throws: Never.self) {
      try watches.add(RawPath(folder.path("link")), followsLink: true)
    }
  }
}
