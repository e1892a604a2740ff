import Foundation
import LinuxSystem
import TestSupport
import Testing

/// What is said of a real folder; each test waits for what it has done itself.
@Suite(.timeLimit(.minutes(1)))
struct DirectoryWatchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ isPolling: Bool) throws -> any DirectoryWatching {
    isPolling
      ? DirectoryPoll(folder: folder.path, every: 1_000_000)
      : try DirectoryWatch(folder: folder.path)
  }

  /// Waits until there is a change of this name.
  private func waitFor(_ name: String, _ watch: any DirectoryWatching) throws {
    while try !watch.wait(until: nil).names.contains(name) {}
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: folder.path(name))
  }

  @Test(arguments: [false, true]) func saysWhatComesAndGoesAndIsAllowed(isPolling: Bool) throws {
    folder.file("old")
    let watch = try make(isPolling)

    folder.file("new")
    try waitFor("new", watch)
    try folder.setMode(0o600, of: "old")
    try waitFor("old", watch)
    try remove("new")
    try waitFor("new", watch)
  }

  @Test(arguments: [false, true]) func losesNothingThatHappensBeforeTheWait(isPolling: Bool) throws
  {
    let watch = try make(isPolling)
    for name in ["one", "two"] { folder.file(name) }

    var names: Set<String> = []
    while names.count < 2 { names.formUnion(try watch.wait(until: nil).names) }

    #expect(names == ["one", "two"])
  }

  @Test(arguments: [false, true]) func noticesAFileThatWasReplaced(isPolling: Bool) throws {
    folder.file("video0")
    let watch = try make(isPolling)
    folder.file("other")
    try FileManager.default.removeItem(atPath: folder.path("video0"))
    try FileManager.default.moveItem(
      atPath: folder.path("other"), toPath: folder.path("video0"))
    try waitFor("video0", watch)
  }

  @Test(arguments: [false, true]) func returnsWhenItIsInterrupted(isPolling: Bool) throws {
    let watch = try make(isPolling)
    watch.interrupt()
    #expect(try watch.wait(until: nil) == DirectoryChanges())
  }

  @Test(arguments: [false, true]) func returnsAtTheDeadline(isPolling: Bool) throws {
    let watch = try make(isPolling)
    let deadline = watch.now + 1_000_000
    var changes = DirectoryChanges()
    while watch.now < deadline { changes = try watch.wait(until: deadline) }
    #expect(changes == DirectoryChanges())
    #expect(try watch.wait(until: 0) == DirectoryChanges())
  }

  @Test func saysThatTheFolderIsGone() throws {
    folder.folder("dev")
    let watch = try DirectoryWatch(folder: folder.path("dev"))
    try remove("dev")
    #expect(throws: Errno.noEntry) { while true { _ = try watch.wait(until: nil) } }
  }

  @Test func refusesWhatIsNoFolder() {
    folder.file("file")
    #expect(throws: Errno.self) { try DirectoryWatch(folder: folder.path("file")) }
    #expect(throws: Errno.noEntry) { try DirectoryWatch(folder: folder.path("none")) }
  }

  @Test func tellsAllThatHasHappenedInOneGo() throws {
    let watch = try DirectoryWatch(folder: folder.path)
    let names = (0..<3000).map { "a file with a name that takes some room \($0)" }
    for name in names { folder.file(name) }
    #expect(try watch.wait(until: nil).names == Set(names))
  }

  @Test func saysThatMoreHappenedThanWasNoted() throws {
    let text = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let limit = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    try #require(limit <= 100_000)
    let watch = try DirectoryWatch(folder: folder.path)
    folder.file("a")
    // Two files in turn, since the same event twice in a row counts once.
    folder.file("b")
    for round in 0...limit / 2 {
      try folder.setMode(0o600 + round % 2, of: "a")
      try folder.setMode(0o600 + round % 2, of: "b")
    }

    var isIncomplete = false
    while true {
      let changes = try watch.wait(until: 0)
      if changes == DirectoryChanges() { break }
      isIncomplete = isIncomplete || changes.isIncomplete
    }
    #expect(isIncomplete)
  }

  @Test func keepsNothingOpen() throws {
    let before = try openDescriptors()
    for _ in 0..<50 { _ = try DirectoryWatch(folder: folder.path) }
    #expect(try openDescriptors() == before)
  }

  private func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      .count {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?
          .contains("inotify") ?? false
      }
  }
}
