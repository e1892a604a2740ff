import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ImageCache

@Suite(.timeLimit(.minutes(1)))
struct DiskObserverTests {
  private let folder: TemporaryFolder
  private let told: AsyncStream<DiskChanges>
  private let tell: AsyncStream<DiskChanges>.Continuation

  init() throws {
    folder = try TemporaryFolder()
    (told, tell) = AsyncStream.makeStream()
  }

  /// Waits until all the keys were told.
  private func await(_ keys: Set<String>) async {
    var rest = keys
    for await changes in told {
      rest.subtract(changes.keys)
      if rest.isEmpty { return }
    }
  }

  @Test(arguments: [true, false])
  func tellsWhatOtherProcessesDo(usesKernel: Bool) async throws {
    let tier = try DiskTier(url: folder.url, options: .fast)
    let long = String(repeating: "long", count: 100)
    for key in ["bike", "car", long] { try tier.write(Data([1]), forKey: key) }
    let before = tier.stamp(forKey: "bike")
    let observer = try DiskObserver(tier, usesKernel: usesKernel) { [tell] in tell.yield($0) }

    _ = try Worker.run("put", folder.path, "bike", "3")
    _ = try Worker.run("put", folder.path, "New one", "3")
    _ = try Worker.run("delete", folder.path, "car")
    _ = try Worker.run("delete", folder.path, long)

    await self.await(["bike", "New one", "car", long])
    #expect(tier.stamp(forKey: "bike") != before && tier.stamp(forKey: "car") == nil)
    withExtendedLifetime(observer) {}
  }

  @Test func doesNotTellOfReading() async throws {
    let tier = try DiskTier(url: folder.url, options: .fast)
    for key in ["bike", "car"] { try tier.write(Data([1]), forKey: key) }
    let observer = try DiskObserver(tier) { [tell] in tell.yield($0) }

    for _ in 0..<50 { _ = try tier.read(forKey: "bike") }
    try tier.write(Data([2]), forKey: "car")

    for await changes in told {
      #expect(changes == DiskChanges(keys: ["car"]))
      break
    }
    withExtendedLifetime(observer) {}
  }

  @Test(arguments: [true, false])
  func tellsOfAPictureThatSomebodyWritesInItsPlace(usesKernel: Bool) async throws {
    let tier = try DiskTier(url: folder.url, options: .fast)
    try tier.write(Data([1]), forKey: "bike")
    folder.setAge(100, of: "bike.jpg")
    let observer = try DiskObserver(tier, usesKernel: usesKernel) { [tell] in tell.yield($0) }

    try Data([2]).write(to: tier.fileURL(forKey: "bike"))

    await self.await(["bike"])
    withExtendedLifetime(observer) {}
  }

  @Test func goesOnWhenTheFolderIsMadeAnew() async throws {
    let tier = try DiskTier(url: folder.url, options: .fast)
    let observer = try DiskObserver(tier) { [tell] in tell.yield($0) }

    try FileManager.default.removeItem(at: folder.url)
    for await changes in told where changes.isIncomplete { break }
    try tier.write(Data([1]), forKey: "bike")
    for await changes in told where changes.isIncomplete || changes.keys == ["bike"] { break }
    try tier.write(Data([1]), forKey: "car")
    await self.await(["car"])
    withExtendedLifetime(observer) {}
  }

  @Test func endsItsThread() async throws {
    let tier = try DiskTier(url: folder.url, options: .fast)
    for usesKernel in [true, false] {
      let (ended, end) = AsyncStream.makeStream(of: Void.self)
      do {
        let sentinel = Sentinel { end.finish() }
        let observer = try DiskObserver(tier, usesKernel: usesKernel) { _ in _ = sentinel }
        withExtendedLifetime(observer) {}
      }
      for await _ in ended {}
    }
  }
}

/// Says when the last reference to it is gone.
private final class Sentinel: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
