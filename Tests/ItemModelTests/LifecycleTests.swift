import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ItemModel

@Suite(.timeLimit(.minutes(1)))
struct LifecycleTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: "items.plist")
  }

  // MARK: - States

  @Test func leadsThroughAllStatesBetween() {
    var machine = LifecycleMachine()

    #expect(machine.handle(.resignActive) == [])
    #expect(machine.handle(.becomeActive) == [.tell(.active)])
    #expect(machine.handle(.becomeActive) == [])
    #expect(
      machine.handle(.enterBackground) == [.tell(.inactive), .tell(.background), .save])
    #expect(machine.handle(.enterBackground) == [])
    #expect(machine.handle(.enterForeground) == [.tell(.inactive)])
    #expect(machine.handle(.enterBackground) == [.tell(.background), .save])
    #expect(machine.handle(.becomeActive) == [.tell(.inactive), .tell(.active)])
    #expect(
      machine.handle(.terminate)
        == [.tell(.inactive), .tell(.background), .save, .tell(.terminating)])
    for event: LifecycleMachine.Event in [.becomeActive, .enterForeground, .terminate] {
      #expect(machine.handle(event) == [])
    }
    #expect(machine.state == .terminating)
  }

  @Test func savesOnceMoreAtTheEndOfTheBackground() {
    var machine = LifecycleMachine()

    #expect(machine.handle(.enterBackground).contains(.save))
    #expect(machine.handle(.terminate) == [.tell(.terminating), .save])
  }

  @Test func tellsItsObserversUntilTheyGo() {
    let lifecycle = AppLifecycle()
    let seen = Mutex<[String]>([])
    let state = lifecycle.onChange { state in seen.withLock { $0.append("\(state)") } }
    let work = lifecycle.onSave { seen.withLock { $0.append("save") } }

    lifecycle.didBecomeActive()
    lifecycle.didEnterBackground()
    lifecycle.removeObserver(state)
    lifecycle.removeObserver(work)
    lifecycle.willTerminate()

    #expect(seen.withLock { $0 } == ["active", "inactive", "background", "save"])
    #expect(lifecycle.state == .terminating)
  }

  // MARK: - Saving

  private func waitUntilSaved(_ store: ItemStore) {
    for _ in 0..<10_000 where store.hasUnsavedChanges { usleep(1000) }
  }

  @Test func savesSoonAfterAnEditAndIsNotPutOffByMore() throws {
    let store = try ItemStore(contentsOf: url)
    let autosave = ItemAutosave(store, interval: .milliseconds(20))
    let end = ContinuousClock.now + .seconds(30)
    var count = 0
    // Edits that never stop; the file must be there all the same.
    while !FileManager.default.fileExists(atPath: url.path), ContinuousClock.now < end {
      store.createItem(name: "a", valueInDollars: count)
      count += 1
      usleep(500)
    }
    #expect(FileManager.default.fileExists(atPath: url.path))

    waitUntilSaved(store)
    #expect(try ItemStore(contentsOf: url).allItems == store.allItems)
    withExtendedLifetime(autosave) {}
  }

  @Test func savesInTheBackgroundAndWhenItGoes() throws {
    let store = try ItemStore(contentsOf: url)
    let lifecycle = AppLifecycle()
    var autosave: ItemAutosave? = ItemAutosave(
      store, interval: .seconds(3600), lifecycle: lifecycle)
    store.createItem(name: "a", valueInDollars: 1)
    lifecycle.didEnterBackground()
    #expect(try ItemStore(contentsOf: url).allItems == store.allItems)

    store.createItem(name: "b", valueInDollars: 2)
    #expect(try ItemStore(contentsOf: url).allItems.count == 1)
    autosave = nil
    #expect(try ItemStore(contentsOf: url).allItems == store.allItems)
    _ = autosave
  }

  @Test func tellsThatItFailedAndTriesAgain() throws {
    let store = try ItemStore(contentsOf: url)
    store.createItem(name: "a", valueInDollars: 1)
    try store.saveChanges()
    try folder.setMode(0o444, of: "items.plist")
    let failures = Mutex<[ItemStoreError.Code]>([])
    let autosave = ItemAutosave(store, interval: .milliseconds(1)) { error in
      failures.withLock { $0.append(error.code) }
    }

    store.createItem(name: "b", valueInDollars: 2)
    for _ in 0..<10_000 where failures.withLock({ $0.count }) < 3 { usleep(1000) }
    try folder.setMode(0o644, of: "items.plist")
    waitUntilSaved(store)

    #expect(failures.withLock { $0 }.prefix(3) == [.notPermitted, .notPermitted, .notPermitted])
    #expect(try ItemStore(contentsOf: url).allItems == store.allItems)
    withExtendedLifetime(autosave) {}
  }

  @Test func savesByTheNewerOneOfTwo() throws {
    let store = try ItemStore(contentsOf: url)
    var autosave = ItemAutosave(store, interval: .seconds(3600))
    autosave = ItemAutosave(store, interval: .milliseconds(1))

    store.createItem(name: "a", valueInDollars: 1)
    waitUntilSaved(store)

    #expect(!store.hasUnsavedChanges)
    withExtendedLifetime(autosave) {}
  }

  @Test func triesAgainAfterAnIntervalThatHasNoEnd() throws {
    let store = try ItemStore(contentsOf: url)
    try store.saveChanges()
    try folder.setMode(0o444, of: "items.plist")
    let count = Mutex(0)
    let autosave = ItemAutosave(store, interval: .seconds(Int64.max)) { _ in
      count.withLock { $0 += 1 }
    }
    store.createItem(name: "a", valueInDollars: 1)

    for _ in 0..<3 { autosave.flush() }

    #expect(count.withLock { $0 } == 3)
  }

  // MARK: - Signals

  /// Starts a program, and waits until it says that it is ready.
  private func ready(_ words: [String]) throws -> RunningWorker {
    let worker = try Worker.start(words)
    let output = worker.output.fileHandleForReading
    var text = ""
    while !text.hasSuffix("ready\n"), let part = try output.read(upToCount: 1), !part.isEmpty {
      text += String(decoding: part, as: UTF8.self)
    }
    return worker
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func savesBeforeASignalEndsTheProgram(signal: Int32) throws {
    let worker = try ready([Worker.path, "live", url.path, "0"])
    #expect(!FileManager.default.fileExists(atPath: url.path))

    kill(worker.process.processIdentifier, signal)
    let result = try Worker.wait(for: worker)

    #expect(worker.process.terminationReason == .uncaughtSignal)
    #expect(result == Worker.Result(text: "inactive\nbackground\nterminating", status: signal))
    #expect(try ItemStore(contentsOf: url).allItems.count == 100)
  }

  @Test func goesOnIgnoringWhatTheProgramWasStartedToIgnore() throws {
    let worker = try ready(
      ["/bin/sh", "-c", "trap '' HUP; exec \(Worker.path) live \(url.path) 0"])

    kill(worker.process.processIdentifier, SIGHUP)
    kill(worker.process.processIdentifier, SIGTERM)
    let result = try Worker.wait(for: worker)

    #expect(result.status == SIGTERM)
    #expect(try ItemStore(contentsOf: url).allItems.count == 100)
  }

  /// As when a user logs out, or a terminal is closed.
  @Test(arguments: [[SIGTERM, SIGHUP], [SIGHUP, SIGHUP]])
  func savesWhereSeveralSignalsComeAtOnce(signals: [Int32]) throws {
    let worker = try ready([Worker.path, "live", url.path, "300"])

    for signal in signals {
      kill(worker.process.processIdentifier, signal)
      // Each one by itself: a second one of a kind is dropped while the first one waits.
      usleep(50_000)
    }
    let result = try Worker.wait(for: worker)

    #expect(result.status == signals[0])
    #expect(try ItemStore(contentsOf: url).allItems.count == 100)
  }

  @Test func endsWhereASaveHangsAndSomebodyAsksAgain() throws {
    let worker = try ready([Worker.path, "live", url.path, "40000"])
    let start = ContinuousClock.now

    while worker.process.isRunning {
      kill(worker.process.processIdentifier, SIGINT)
      usleep(100_000)
    }

    #expect(try Worker.wait(for: worker).status == SIGINT)
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func savesBeforeASignalEndsAProgramWithoutAThreadToSpare() throws {
    let worker = try ready([Worker.path, "busy", url.path])
    let start = ContinuousClock.now

    kill(worker.process.processIdentifier, SIGTERM)
    let result = try Worker.wait(for: worker)

    #expect(result.status == SIGTERM)
    #expect(ContinuousClock.now - start < .seconds(15))
    #expect(try ItemStore(contentsOf: url).allItems.count == 100)
  }
}
