import Foundation
import TestSupport
import Testing

@testable import ImageCache

@Suite(.timeLimit(.minutes(1)))
struct DiskLimitTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func tier(bytes: Int? = nil, age: Duration? = nil) throws -> DiskTier {
    var options = ImageStore.DiskOptions.fast
    options.maximumByteCount = bytes
    options.maximumAge = age
    return try DiskTier(url: folder.url, options: options)
  }

  private func byteCount() throws -> Int {
    try folder.allFiles(in: "").filter {
      !["lock", "trim", "size"].contains(($0 as NSString).lastPathComponent)
    }
    .reduce(0) { sum, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      return sum + (attributes[.size] as? NSNumber ?? 0).intValue
    }
  }

  @Test func neverExceedsTheLimitAndLosesWhatWasNotUsedForLongest() throws {
    let tier = try tier(bytes: 10_000)
    for number in 0..<10 {
      try tier.write(Data(count: 1000), forKey: "\(number)")
      folder.setAge(100 - number, of: "\(number).jpg")
    }
    #expect(try tier.read(forKey: "0") != nil)

    for number in 10..<14 {
      try tier.write(Data(count: 1000), forKey: "\(number)")
      #expect(try byteCount() <= 10_000)
    }

    #expect(try Set(tier.keys()) == Set(["0"] + (5..<14).map { "\($0)" }))
    #expect(tier.statistics.evictions == 4 && tier.statistics.evictedBytes == 4000)
  }

  @Test func isOneLimitForSeveralTiers() throws {
    let tiers = try (0..<3).map { _ in try tier(bytes: 10_000) }

    for number in 0..<60 {
      try tiers[number % 3].write(Data(count: 700), forKey: "\(number)")
      #expect(try byteCount() <= 10_000)
    }

    #expect(try tiers[0].keys().count == 14)
    #expect(tiers.map(\.statistics.evictions).reduce(0, +) == 46)
  }

  @Test func countsReplacedAndDeletedPicturesOnce() throws {
    let tier = try tier(bytes: 10_000)
    for _ in 0..<100 { try tier.write(Data(count: 900), forKey: "same") }
    for number in 0..<100 {
      try tier.write(Data(count: 900), forKey: "\(number)")
      try tier.delete(forKey: "\(number)")
    }
    let stamp = try #require(tier.stamp(forKey: "same"))
    try tier.keepDerived(Data(count: 90), as: "small", ofKey: "same", madeOf: stamp)

    #expect(DiskSize(path: tier.layout.size).value == 990)
    #expect(tier.statistics.evictions == 0)
  }

  /// A crash between counting and writing, files that somebody has deleted or added.
  @Test func findsOutThatItsCountIsWrong() throws {
    let tier = try tier(bytes: 10_000)
    for number in 0..<5 { try tier.write(Data(count: 1000), forKey: "\(number)") }
    DiskSize(path: tier.layout.size).add(100_000)

    try tier.write(Data(count: 1000), forKey: "5")

    #expect(tier.statistics.evictions == 0)
    #expect(DiskSize(path: tier.layout.size).value == 6000)
    try folder.write("nonsense", to: ".imagestore/size")
    try tier.write(Data(count: 1000), forKey: "6")
    #expect(DiskSize(path: tier.layout.size).value == 7000)
  }

  @Test func keepsTheOldPictureWhereTheNewOneDoesNotFit() throws {
    let tier = try tier(bytes: 1000)
    try tier.write(Data(count: 10), forKey: "bike")
    try tier.write(Data(count: 20), forKey: "car")

    #expect(throws: ImageStoreError.self) { try tier.write(Data(count: 2000), forKey: "bike") }

    #expect(try tier.read(forKey: "bike")?.bytes.count == 10)
    #expect(try tier.read(forKey: "car")?.bytes.count == 20)
    try tier.write(Data(count: 1000), forKey: "bike")
    #expect(try tier.keys() == ["bike"])
  }

  @Test func losesPicturesThatNobodyUses() throws {
    let tier = try tier(age: .seconds(50))
    for key in ["old", "used", "new"] { try tier.write(Data(count: 10), forKey: key) }
    folder.setAge(60, of: "old.jpg")
    folder.setAge(40, of: "used.jpg")
    #expect(try tier.read(forKey: "used") != nil)

    #expect(try tier.read(forKey: "old") == nil)
    #expect(try Set(tier.keys()) == ["used", "new"])

    folder.setAge(60, of: "used.jpg")
    try self.tier(age: .seconds(50)).write(Data(count: 10), forKey: "another")
    #expect(try Set(tier.keys()) == ["another", "new"])
  }

  @Test func agesPicturesOfTheFutureFromNowOn() throws {
    let tier = try tier(bytes: 3000)
    for key in ["a", "b", "c"] { try tier.write(Data(count: 1000), forKey: key) }
    folder.setAge(-100_000, of: "a.jpg")

    try tier.write(Data(count: 1000), forKey: "d")
    #expect(try Set(tier.keys()) == ["a", "c", "d"])
    folder.setAge(-1, of: "c.jpg")
    folder.setAge(-1, of: "d.jpg")

    try tier.write(Data(count: 1000), forKey: "e")
    #expect(try Set(tier.keys()) == ["c", "d", "e"])
  }

  @Test func searchesManyPicturesSeldom() throws {
    let tier = try tier(bytes: 300 * 100)
    for number in 0..<600 { try tier.write(Data(count: 100), forKey: "\(number)") }

    #expect(try byteCount() <= 300 * 100)
    #expect(try tier.keys().count > 280)
    #expect(tier.statistics.trims < 30, "\(tier.statistics.trims)")
  }

  @Test func countsAndLosesWhatWasSetAsideFirst() throws {
    let tier = try tier(bytes: 3000)
    for key in ["a", "b", "c"] { try tier.write(Data(count: 1000), forKey: key) }
    try folder.flipBit(5, of: "b.jpg")
    #expect(try tier.read(forKey: "b") == nil)

    try tier.write(Data(count: 1000), forKey: "d")

    #expect(try Set(tier.keys()) == ["a", "c", "d"])
    #expect(try byteCount() == 3000)
  }
}
