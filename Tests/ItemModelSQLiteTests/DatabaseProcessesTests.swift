import Foundation
import TestSupport
import Testing

@testable import ItemModel
@testable import ItemModelSQLite

/// Several processes on one database, and processes that are killed.
@Suite(.timeLimit(.minutes(3)))
struct DatabaseProcessesTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: "items.sqlite")
  }

  private var leftovers: [String] {
    get throws { try folder.names.filter { $0.contains("unreadable") } }
  }

  @Test func loseNothingInAThousandEdits() throws {
    let workers = try (1...2).map {
      try Worker.start([Worker.path, "edit", url.path, "\($0)", "500"])
    }
    let results = try workers.map { try Worker.wait(for: $0) }

    #expect(results.map(\.status) == [0, 0], "\(results)")
    let expected = Set(results.flatMap { $0.text.split(separator: "\n").map(String.init) })
    let store = try ItemStore(database: url)
    #expect(Set(store.allItems.map { "\($0.itemKey) \($0.valueInDollars)" }) == expected)
    #expect(store.allItems.count == expected.count)
    #expect(expected.count > 100)
    #expect(try leftovers == [])
  }

  @Test func loseNothingThatWasSavedBeforeTheyAreKilled() throws {
    var random = StoredSample.Generator(state: 7)
    var count = 0
    for _ in 0..<200 {
      let worker = try Worker.start([Worker.path, "churn", url.path])
      let output = worker.output.fileHandleForReading
      var text = try output.read(upToCount: 1) ?? Data()
      usleep(useconds_t(random.next() % 8000))
      kill(worker.process.processIdentifier, SIGKILL)
      text += try output.readToEnd() ?? Data()
      worker.process.waitUntilExit()
      let saved = String(decoding: text, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false
      ).dropLast().last.flatMap { Int($0) }

      let store = try ItemStore(database: url)
      let added = store.allItems.count - count
      let expected = try #require(saved)
      #expect((expected...expected + 1).contains(added))
      #expect(store.allItems.suffix(added).map(\.valueInDollars) == Array(0..<added))
      // So that the list does not grow without end.
      for item in store.allItems.dropLast(5) { store.removeItem(forKey: item.itemKey) }
      try store.saveChanges()
      count = store.allItems.count
    }
    #expect(try leftovers == [])
  }

  @Test(.enabled(if: Worker.canMount))
  func loseNothingOnAFullDisk() throws {
    let result = try Worker.runMounting(
      "mount -t tmpfs -o size=1m tmpfs \(folder.path); "
        + "exec \(Worker.path) fill \(url.path)")

    #expect(result == Worker.Result(text: "noSpace kept here true", status: 0))
  }

  /// SQLite's log needs an index beside it, which cannot be made there.
  @Test(.enabled(if: Worker.canMount))
  func readAMediumThatTakesNoFiles() throws {
    do {
      let store = try ItemStore(database: url)
      store.createItem(name: "a", valueInDollars: 1)
      try store.saveChanges()
    }
    let disk = folder.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)

    let result = try Worker.runMounting(
      "mount -t tmpfs tmpfs \(disk); cp \(GoldenDatabaseTests.url.path) \(disk)/a.sqlite; "
        + "cp \(url.path) \(disk)/b.sqlite; mount -o remount,ro \(disk); "
        + "\(Worker.path) fill \(disk)/a.sqlite; \(Worker.path) fill \(disk)/b.sqlite")

    let lines = result.text.split(separator: "\n")
    #expect(lines.count == 2, "\(result)")
    for line in lines {
      #expect(line.contains("this program may only read the file"), "\(line)")
      #expect(line.hasSuffix("kept here false"), "\(line)")
    }
  }

  @Test(.enabled(if: Worker.canMount))
  func seeWhatOthersWriteWhereTheyMayOnlyRead() throws {
    let (disk, view) = (folder.path("disk"), folder.path("view"))
    let result = try Worker.runMounting(
      "mkdir \(disk) \(view); \(Worker.path) edit \(disk)/a.sqlite 7 20 > \(disk)/keys; "
        + "mount --bind \(disk) \(view); mount -o remount,bind,ro \(view); "
        + "\(Worker.path) follow \(view)/a.sqlite & sleep 0.5; "
        + "\(Worker.path) edit \(disk)/a.sqlite 8 20 > \(disk)/keys; wait")

    let counts = result.text.split(separator: " ").compactMap { Int($0) }
    #expect(counts.count == 2 && counts[0] > 0 && counts[0] < counts[1], "\(result)")
  }

  @Test(.enabled(if: Worker.canMount))
  func loseNothingInAMoveToAFullDisk() throws {
    let result = try Worker.runMounting(
      "mount -t tmpfs -o size=1m tmpfs \(folder.path); \(Worker.path) fill \(url.path).plist; "
        + "dd if=/dev/zero of=\(folder.path)/filler bs=1k count=200 2>/dev/null || true; "
        + "\(Worker.path) move \(url.path).plist \(url.path) || ls -A \(folder.path)")

    let lines = result.text.split(separator: "\n")
    #expect(lines.first == "noSpace kept here true")
    #expect(lines.dropFirst().first?.contains("No space left on device") == true)
    let names = lines.dropFirst(2)
    #expect(names == [".items.sqlite.plist.lock", "filler", "items.sqlite.plist"], "\(result)")
  }

  /// Whenever a move is killed, one of the two holds everything.
  @Test(arguments: [false, true])
  func loseNothingInAMoveThatIsKilled(isFromDatabase: Bool) throws {
    let names = isFromDatabase ? ["old.sqlite", "new.plist"] : ["old.plist", "new.sqlite"]
    let (old, new) = (folder.url.appending(path: names[0]), folder.url.appending(path: names[1]))
    func open(_ url: URL) throws -> ItemStore {
      url.pathExtension == "sqlite"
        ? try ItemStore(database: url) : try ItemStore(contentsOf: url)
    }
    let items = (0..<600).map { Item(name: "\($0)", valueInDollars: $0) }
    var random = StoredSample.Generator(state: 3)
    var ends: Set<String> = []
    var duration = 0.0
    for round in 0..<30 {
      if !FileManager.default.fileExists(atPath: old.path) {
        let store = try open(old)
        for item in items { store.insert(item) }
        try store.saveChanges()
      }
      let start = Date()
      let worker = try Worker.start([Worker.path, "move", old.path, new.path])
      if round > 0 {
        usleep(useconds_t(Double.random(in: 0.3...1.1, using: &random) * duration * 1e6))
        kill(worker.process.processIdentifier, SIGKILL)
      }
      _ = try Worker.wait(for: worker)
      if round == 0 { duration = Date().timeIntervalSince(start) }

      let there = [old, new].filter { FileManager.default.fileExists(atPath: $0.path) }
      ends.insert(there.map(\.lastPathComponent).joined(separator: " "))
      #expect(!there.isEmpty)
      for url in there { #expect(try open(url).allItems == items, "\(url.lastPathComponent)") }
      for name in try folder.names where name.hasPrefix("new") { folder.remove(name) }
    }
    #expect(ends.count > 1, "\(ends)")
    #expect(try leftovers == [])
  }
}
