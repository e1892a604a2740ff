import Foundation
import Imaging
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import ImageCache

/// Each with checksums in attributes and, where file systems have none, beside the pictures.
@Suite(.timeLimit(.minutes(1)))
struct DiskTierTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func tier(_ usesAttributes: Bool = true) throws -> DiskTier {
    try DiskTier(url: folder.url, options: .fast, usesAttributes: usesAttributes)
  }

  /// Both ways of keeping checksums.
  static let ways = [true, false]

  @Test(arguments: ways)
  func returnsWhatWasWrittenUnderKeysOfEveryKind(usesAttributes: Bool) throws {
    let tier = try tier(usesAttributes)
    let keys = [
      "bike", "Bike", "", ".", "..", "../../up", "/", "a\0b", "\0", "e\u{301}", "ä/😀", "a b", "-rf",
      ".hidden", "bike.jpg", String(repeating: "x", count: 10_000),
      String(repeating: "x", count: 10_001), String(repeating: "é", count: 300),
    ]

    for key in keys { try tier.write(Data(key.utf8) + [1], forKey: key) }

    for key in keys { #expect(try tier.read(forKey: key)?.bytes == Data(key.utf8) + [1]) }
    #expect(try tier.read(forKey: "\u{E9}")?.bytes == Data("e\u{301}\u{1}".utf8))
    #expect(try Set(tier.keys()) == Set(keys))
    let other = try self.tier(usesAttributes)
    #expect(try Set(other.keys()) == Set(keys))
    let names = try folder.names.filter { $0 != DiskLayout.hiddenName }
    #expect(names.count == keys.count && names.allSatisfy { $0.hasSuffix(".jpg") })
    #expect(try FileManager.default.contentsOfDirectory(atPath: tier.layout.unfinished) == [])
  }

  @Test(arguments: ways)
  func replacesAndDeletes(usesAttributes: Bool) throws {
    let tier = try tier(usesAttributes)
    let long = String(repeating: "long", count: 1000)
    for key in ["bike", long] {
      let first = try tier.write(Data([1]), forKey: key)
      let second = try tier.write(Data([2, 2]), forKey: key)
      let picture = try tier.read(forKey: key)
      #expect(picture?.bytes == Data([2, 2]) && picture?.stamp == second && first != second)
      #expect(tier.stamp(forKey: key) == second)

      #expect(try tier.delete(forKey: key))
      #expect(try tier.read(forKey: key) == nil && tier.stamp(forKey: key) == nil)
      #expect(try !tier.delete(forKey: key))
    }
    #expect(try tier.keys() == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: tier.layout.records) == [])
    #expect(tier.statistics.writes == 4 && tier.statistics.deletions == 2)
    #expect(tier.statistics.hits == 2 && tier.statistics.misses == 2)
  }

  @Test(arguments: ways)
  func deletesAllPicturesAndNoOtherFile(usesAttributes: Bool) throws {
    let tier = try tier(usesAttributes)
    for number in 0..<20 { try tier.write(Data([1]), forKey: "\(number)") }
    let stamp = try #require(tier.stamp(forKey: "3"))
    try tier.keepDerived(Data([2]), as: "small", ofKey: "3", madeOf: stamp)
    try folder.write("mine", to: "notes.txt")
    try folder.write("mine", to: "IMG 001.jpg")

    try tier.removeAll()

    #expect(try tier.keys() == [])
    #expect(try folder.names == [DiskLayout.hiddenName, "IMG 001.jpg", "notes.txt"])
    #expect(try folder.allFiles(in: ".imagestore").allSatisfy { $0 == "lock" || $0 == "size" })
  }

  @Test func keepsTheModeOfAPictureThatIsReplaced() throws {
    let tier = try tier()
    try tier.write(Data([1]), forKey: "bike")
    try folder.setMode(0o640, of: "bike.jpg")

    try tier.write(Data([2]), forKey: "bike")

    #expect(try folder.mode(of: "bike.jpg") == 0o640)
  }

  @Test func replacesALinkAndNeverWritesWhereItPoints() throws {
    let other = try TemporaryFolder()
    try other.write("somebody's", to: "file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("bike.jpg"), withDestinationPath: other.path("file"))
    let tier = try tier()

    try tier.write(Data([1]), forKey: "bike")

    #expect(try other.text(of: "file") == "somebody's")
    #expect(try tier.read(forKey: "bike")?.bytes == Data([1]))
  }

  @Test func waitsForTheDiskWhereItShallSurviveAPowerLoss() throws {
    let tier = try DiskTier(url: folder.url.appending(path: "new/folder"))

    try tier.write(Data([1]), forKey: "bike")

    #expect(try tier.read(forKey: "bike")?.bytes == Data([1]))
  }

  @Test func makesTheFolderAnew() throws {
    let tier = try tier()
    for _ in 0..<3 {
      try tier.write(Data([1]), forKey: "bike")
      try FileManager.default.removeItem(at: folder.url)
      #expect(try tier.read(forKey: "bike") == nil)
      #expect(try tier.keys() == [] && !tier.delete(forKey: "bike"))
      try tier.removeAll()
    }
    try tier.write(Data([1]), forKey: "bike")
    try FileManager.default.removeItem(atPath: tier.layout.hidden)
    #expect(try tier.read(forKey: "bike")?.bytes == Data([1]))
    #expect(try tier.delete(forKey: "bike"))
  }

  /// Pictures go where the path leads, also where the store was moved and another one is there.
  @Test(arguments: ways) func followsItsPathWhenTheFolderIsReplaced(usesAttributes: Bool) throws {
    let (url, moved) = (folder.url.appending(path: "now"), folder.url.appending(path: "moved"))
    let tier = try DiskTier(url: url, options: .fast, usesAttributes: usesAttributes)
    try tier.write(Data([1]), forKey: "bike")
    try FileManager.default.moveItem(at: url, to: moved)
    let other = try DiskTier(url: url, options: .fast, usesAttributes: usesAttributes)
    try other.write(Data([2]), forKey: "car")

    try tier.write(Data([3]), forKey: "bike")

    #expect(try other.read(forKey: "bike")?.bytes == Data([3]))
    #expect(try Set(tier.keys()) == ["bike", "car"])
    let old = try DiskTier(url: moved, options: .fast, usesAttributes: usesAttributes)
    #expect(try old.read(forKey: "bike")?.bytes == Data([1]))
  }

  /// Also where the folder above was moved, of which nobody tells.
  @Test func makesTheFolderAnewWhereOneAboveItWasMoved() throws {
    let above = folder.url.appending(path: "above")
    let tier = try DiskTier(url: above.appending(path: "images"), options: .fast)
    try tier.write(Data([1]), forKey: "bike")
    try FileManager.default.moveItem(at: above, to: folder.url.appending(path: "moved"))

    try tier.write(Data([2]), forKey: "car")

    #expect(try tier.keys() == ["car"])
  }

  /// The lock's file is kept open; one that has no name any more locks nobody out.
  @Test func takesTheLockThatOthersSee() throws {
    let tier = try tier()
    try tier.write(Data([1]), forKey: "bike")
    try FileManager.default.removeItem(atPath: tier.layout.lock)

    try tier.write(Data([2]), forKey: "bike")

    #expect(FileManager.default.fileExists(atPath: tier.layout.lock))
  }

  @Test func writesAlsoWhereTheHiddenFolderIsALink() throws {
    let tier = try tier()
    let place = try TemporaryFolder()
    let hidden = place.url.appending(path: "a/b")
    try FileManager.default.createDirectory(at: hidden, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: tier.layout.hidden, withDestinationPath: hidden.path)

    for byte in [UInt8(1), 2] { try tier.write(Data([byte]), forKey: "bike") }

    #expect(try tier.read(forKey: "bike")?.bytes == Data([2]))
    #expect(try tier.keys() == ["bike"])
  }

  @Test func refusesNothingAndTooMuch() throws {
    var options = ImageStore.DiskOptions.fast
    options.maximumByteCount = 1000
    let tier = try DiskTier(url: folder.url, options: options)
    try tier.write(Data(count: 900), forKey: "small")

    #expect(throws: ImageStoreError.self) { try tier.write(Data(), forKey: "empty") }
    let error = #expect(throws: ImageStoreError.self) {
      try tier.write(Data(count: 1001), forKey: "large")
    }

    #expect(error?.code == .tooLarge && error?.description.contains("1001") == true)
    #expect(try tier.keys() == ["small"])
  }

  @Test func givesNobodyThePictureOfAnotherKey() throws {
    let tier = try tier()
    let key = String(repeating: "long", count: 100)
    try tier.write(Data([1]), forKey: key)
    let name = FileName.name(forKey: key)

    // As if its hash were another key's too.
    #expect(setAttribute(DiskTier.keyAttribute, "another key", of: folder.path(name)))

    #expect(try tier.read(forKey: key) == nil)
  }

  @Test func sweepsWhatKilledProcessesHaveLeftAndNothingElse() throws {
    let tier = try tier()
    try tier.write(Data([1]), forKey: "bike")
    let path = tier.layout.unfinished
    let living = try OpenFile(making: path + "/living", permissions: 0o600)
    let isLocked = living.tryLock(exclusive: true)
    #expect(isLocked)
    try Data([1]).write(to: URL(filePath: path + "/left"))

    tier.sweepLeftovers()
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 2)

    tier.sweepLeftovers(olderThan: 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["living"])
    _ = consume living
  }

  @Test func returnsNothingThatWasDeletedWhileItWasRead() {
    let deletions = RecentDeletions()
    deletions.note("a")

    let start = deletions.count
    #expect(!deletions.contain("a", since: start))
    deletions.note("a")
    #expect(deletions.contain("a", since: start) && !deletions.contain("b", since: start))
    #expect(!deletions.contain("a", since: deletions.count))

    let later = deletions.count
    for number in 0..<200 { deletions.note("\(number)") }
    #expect(deletions.contain("0", since: later) && deletions.contain("199", since: later))
    #expect(!deletions.contain("a", since: later))
    for _ in 0..<200 { deletions.note("c") }
    // It has forgotten which ones they were.
    #expect(deletions.contain("a", since: later))

    let last = deletions.count
    deletions.noteAll()
    #expect(deletions.contain("a", since: last))
  }

  private final class Progress: Sendable {
    let lastDeleted = Mutex<UInt8>(0)
  }

  /// One reads what another deletes: a picture that was deleted before a read began never comes.
  @Test func neverReturnsADeletedPictureToAnotherThread() async throws {
    let tier = try tier()
    let progress = Progress()

    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 1...200 as ClosedRange<UInt8> {
          try tier.write(Data([number]), forKey: "bike")
          try tier.delete(forKey: "bike")
          progress.lastDeleted.withLock { $0 = number }
        }
      }
      group.addTask {
        while progress.lastDeleted.withLock({ $0 < 200 }) {
          let deleted = progress.lastDeleted.withLock { $0 }
          let picture = try tier.read(forKey: "bike")
          #expect(picture.map { $0.bytes[0] > deleted } != false)
        }
      }
      try await group.waitForAll()
    }
  }
}

extension ImageStore.DiskOptions {
  /// Without waiting for the disk.
  static var fast: Self {
    var options = Self()
    options.durability = .processCrash
    return options
  }
}
