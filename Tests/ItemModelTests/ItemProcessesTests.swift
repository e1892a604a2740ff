import Foundation
import TestSupport
import Testing

@testable import ItemModel

/// Several processes on one file, and processes that are killed.
@Suite(.timeLimit(.minutes(3)))
struct ItemProcessesTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: "items.plist")
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
    let store = try ItemStore(contentsOf: url)
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

      let store = try ItemStore(contentsOf: url)
      let added = store.allItems.count - count
      let expected = try #require(saved)
      #expect((expected...expected + 1).contains(added))
      #expect(
        store.allItems.suffix(added).map(\.valueInDollars) == Array(0..<added))
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
      "mount -t tmpfs -o size=1m tmpfs \(folder.path); exec \(Worker.path) fill \(url.path)")

    #expect(result == Worker.Result(text: "noSpace kept here true", status: 0))
  }
}
