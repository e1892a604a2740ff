import Foundation
import ItemModel
import ItemModelSQLite
import TestSupport

/// What the tests run as a process of its own, to kill it, or to run several at once.
///
///     item-store-worker edit FILE SEED N   makes N random edits of items of its own, saves each;
///                                          prints the keys and values that must be there
///     item-store-worker churn FILE         adds items and saves until it is killed; prints how
///                                          many are saved
///     item-store-worker fill FILE          adds until an error comes; prints it, and what is there
///     item-store-worker live FILE N        makes 100 items, which only the end saves, N milliseconds
///                                          later, says “ready” and waits for a signal
///     item-store-worker busy FILE          the same, with work on all threads that are shared, for
///                                          half a minute
///     item-store-worker follow FILE        reads until there are more items; prints how many there
///                                          were and are
///     item-store-worker move FILE FILE     moves a list to a database, or a database to a list
///
/// A FILE whose name ends with .sqlite is a database.
@main
enum Main {
  static func main() { Worker.main(run) }

  private static func run(_ words: [String]) throws {
    if words[1] == "move", words.count == 4 {
      let (from, to) = (URL(filePath: words[2]), URL(filePath: words[3]))
      return from.pathExtension == "sqlite"
        ? try ItemStore.move(database: from, toPropertyList: to)
        : try ItemStore.move(propertyList: from, toDatabase: to)
    }
    let store = try open(URL(filePath: words[2]))
    switch (words[1], words.count) {
    case ("edit", 5): try edit(store, owner: words[3], count: Int(words[4]) ?? 0)
    case ("churn", 3): try churn(store)
    case ("fill", 3): try fill(store)
    case ("follow", 3): follow(store)
    case ("live", 4): live(store, delay: UInt32(words[3]) ?? 0)
    case ("busy", 3):
      keepThreadsBusy()
      live(store, delay: 0)
    default: exit(64)
    }
  }

  private static func open(_ url: URL) throws -> ItemStore {
    url.pathExtension == "sqlite"
      ? try ItemStore(database: url) : try ItemStore(contentsOf: url)
  }

  private static func edit(_ store: ItemStore, owner: String, count: Int) throws {
    var random = StoredSample.Generator(state: UInt64(owner) ?? 0)
    var mine: [String: Int] = [:]
    for number in 0..<count {
      let key = mine.keys.sorted().randomElement(using: &random)
      switch (random.next() % 8, key) {
      case (0, let key?):
        store.removeItem(forKey: key)
        mine[key] = nil
      case (1...3, let key?):
        guard var item = store.item(forKey: key) else { continue }
        item.valueInDollars = number
        store.update(item)
        mine[key] = number
      case (4, let key?):
        store.moveItem(forKey: key, to: Int(random.next() % 64))
      default:
        let item = store.createItem(name: owner, valueInDollars: number)
        mine[item.itemKey] = number
      }
      let conflicts = try store.saveChanges()
      guard conflicts.isEmpty else {
        print("\(conflicts)")
        exit(1)
      }
    }
    for (key, value) in mine { print(key, value) }
  }

  private static func churn(_ store: ItemStore) throws {
    let output = FileHandle.standardOutput
    for number in 0... {
      store.createItem(name: "item \(number)", valueInDollars: number)
      try store.saveChanges()
      try output.write(contentsOf: Data("\(number + 1)\n".utf8))
    }
  }

  private static func fill(_ store: ItemStore) throws {
    for number in 0..<10_000 {
      let before = store.allItems
      store.createItem(name: String(repeating: "x", count: 50_000), valueInDollars: number)
      do {
        try store.saveChanges()
      } catch {
        let saved = try open(store.fileURL).allItems
        print(
          error.code == .noSpace ? "noSpace" : "\(error)", saved == before ? "kept" : "lost",
          store.allItems.count == before.count + 1 ? "here" : "gone", number > 0)
        return
      }
    }
    print("never full")
  }

  private static func follow(_ store: ItemStore) {
    let count = store.allItems.count
    for _ in 0..<1000 where store.allItems.count <= count {
      _ = try? store.refresh()
      usleep(10_000)
    }
    print(count, store.allItems.count)
  }

  private static func keepThreadsBusy() {
    let end = ContinuousClock.now + .seconds(30)
    for _ in 0..<4 * ProcessInfo.processInfo.activeProcessorCount {
      DispatchQueue.global().async { while ContinuousClock.now < end {} }
    }
  }

  private static func live(_ store: ItemStore, delay: UInt32) -> Never {
    let lifecycle = AppLifecycle(signals: AppLifecycle.endingSignals)
    lifecycle.onSave { usleep(delay * 1000) }
    let autosave = ItemAutosave(store, interval: .seconds(3600), lifecycle: lifecycle)
    lifecycle.onChange { state in
      FileHandle.standardOutput.write(Data("\(state)\n".utf8))
    }
    lifecycle.didBecomeActive()
    for number in 0..<100 { store.createItem(name: "\(number)", valueInDollars: number) }
    FileHandle.standardOutput.write(Data("ready\n".utf8))
    withExtendedLifetime(autosave) { dispatchMain() }
  }
}
