import Foundation
import Glibc
import Imaging
import TestSupport
import Testing

@testable import CaptureKitLibrary

/// What others do: each is done by another process or behind the library's back.
@Suite(.timeLimit(.minutes(1)))
struct PhotoLibraryChangesTests {
  private let pictures: PictureFolder
  private let library: PhotoLibrary

  init() throws {
    pictures = try PictureFolder()
    try pictures.put("first.jpg", PictureFolder.jpeg(taken: 1000))
    library = try pictures.library()
  }

  /// Waits until a change is told after which these are listed, the newest first, and says what was
  /// told.
  @discardableResult
  private func wait(
    for names: [String], _ changes: inout PhotoLibrary.Changes.Iterator
  ) async throws -> [PhotoLibrary.Change] {
    var told: [PhotoLibrary.Change] = []
    repeat {
      told.append(try #require(await changes.next()))
    } while pictures.names(try await library.assets(range: 0..<999)) != names
    return told
  }

  private func shell(_ script: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-ec", script]
    process.currentDirectoryURL = pictures.url
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func tellsWhatAnotherProcessDoes() async throws {
    try await library.settled()
    try PictureFolder.jpeg(taken: 2000).write(to: URL(filePath: pictures.folder.path("other")))
    var changes = library.changes.makeAsyncIterator()

    try shell("cp ../other second.jpg")
    let told = try await wait(for: ["second.jpg", "first.jpg"], &changes)
    let id = try #require(try await library.assets(range: 0..<1).first?.id)
    #expect(told.contains { $0.inserted == [id] || $0.isReload })
    try shell("mv second.jpg renamed.jpg")
    try await wait(for: ["renamed.jpg", "first.jpg"], &changes)
    try shell("rm first.jpg")
    let gone = try await wait(for: ["renamed.jpg"], &changes)
    #expect(gone.contains { $0.removed.count == 1 })
  }

  @Test func followsFoldersThatComeMoveAndGo() async throws {
    try await library.settled()
    var changes = library.changes.makeAsyncIterator()

    try shell("mkdir -p a/b; cp first.jpg a/b/deep.jpg; touch -d @5 a/b/deep.jpg")
    try await wait(for: ["a/b/deep.jpg", "first.jpg"], &changes)
    try shell("mv a c")
    try await wait(for: ["c/b/deep.jpg", "first.jpg"], &changes)
    #expect(try await library.albums().map(\.title) == ["c", "b"])
    // What happens in a folder that has moved is seen at its new place.
    try shell("cp first.jpg c/b/other.jpg")
    try await wait(for: ["c/b/deep.jpg", "c/b/other.jpg", "first.jpg"], &changes)
    try shell("mv c ../outside; cp first.jpg ../outside/b/unseen.jpg")
    try await wait(for: ["first.jpg"], &changes)
    try shell("rm -r ../outside")
    #expect(try await library.albums().isEmpty)
  }

  @Test func looksAgainAtAFileThatIsWrittenOver() async throws {
    try await library.settled()
    var changes = library.changes.makeAsyncIterator()
    let before = try #require(try await library.assets(range: 0..<1).first)

    try PictureFolder.jpeg(taken: 7000).write(to: URL(filePath: pictures.path + "/first.jpg"))
    var now = before
    while now.captureDate != Date(timeIntervalSince1970: 7000) {
      let change = try #require(await changes.next())
      #expect(change.inserted.isEmpty)
      now = try #require(try await library.asset(withID: before.id))
    }
  }

  @Test func findsAFolderThatIsReplaced() async throws {
    try await library.settled()
    var changes = library.changes.makeAsyncIterator()

    try shell("cd ..; mv pictures old; mkdir pictures; cp old/first.jpg pictures/new.jpg")
    try await wait(for: ["new.jpg"], &changes)
    try shell("cd ..; rm -r pictures")
    try await wait(for: [], &changes)
  }

  /// A hundred files in one go, so that the kernel tells more than one read takes.
  @Test func missesNothingOfMany() async throws {
    try await library.settled()
    var changes = library.changes.makeAsyncIterator()

    try shell("for n in $(seq 1000); do ln first.jpg $n.jpg; done")
    while try await library.assetCount() < 1001 { _ = try #require(await changes.next()) }
    try shell("rm [0-9]*.jpg")
    try await wait(for: ["first.jpg"], &changes)
  }

  @Test func tellsHowTheOrderSettles() async throws {
    for number in 0..<50 {
      try pictures.put("\(number).jpg", PictureFolder.jpeg(taken: Double(number)), modified: 1)
    }
    let other = try PhotoLibrary(
      folders: [pictures.url], cacheDirectory: URL(filePath: pictures.folder.path("other")))
    var changes = other.changes.makeAsyncIterator()
    var seen: [PhotoLibrary.Asset] = []
    while seen.first?.url.lastPathComponent != "first.jpg"
      || seen[1].url.lastPathComponent != "49.jpg"
    {
      _ = try #require(await changes.next())
      seen = try await other.assets(range: 0..<60)
    }
    #expect(seen.count == 51)
  }

  @Test func endsWithTheLibrary() async throws {
    var library = Optional(try pictures.library())
    let changes = try #require(library?.changes)
    library = nil

    for await _ in changes {}
  }

  @Test func ofTwoLibrariesEachSeesWhatTheOtherAdds() async throws {
    let other = try pictures.library()
    try await library.settled()
    try await other.settled()
    var changes = library.changes.makeAsyncIterator()

    let asset = try await other.add(Image(PictureFolder.jpeg(taken: 9000)))
    while try await library.asset(withID: asset.id) != asset {
      _ = try #require(await changes.next())
    }
  }
}
