import Foundation
import TestSupport
import Testing

@testable import ImageCache

@Suite(.timeLimit(.minutes(1)))
struct DerivedPicturesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func tier(_ usesAttributes: Bool = true) throws -> DiskTier {
    try DiskTier(url: folder.url, options: .fast, usesAttributes: usesAttributes)
  }

  private func derivedFiles() throws -> [String] { try folder.allFiles(in: ".imagestore/derived") }

  @Test(arguments: DiskTierTests.ways)
  func areTheirPicturesAndTheirVariants(usesAttributes: Bool) throws {
    let tier = try tier(usesAttributes)
    let long = String(repeating: "long", count: 500)
    for key in ["bike", long] {
      let stamp = try tier.write(Data([1]), forKey: key)
      try tier.keepDerived(Data([2]), as: "320", ofKey: key, madeOf: stamp)
      try tier.keepDerived(Data([3]), as: "640/fill", ofKey: key, madeOf: stamp)
      try tier.keepDerived(Data([4]), as: long, ofKey: key, madeOf: stamp)

      #expect(tier.derived("320", ofKey: key) == Data([2]))
      #expect(tier.derived("640/fill", ofKey: key) == Data([3]))
      #expect(tier.derived(long, ofKey: key) == Data([4]))
      #expect(tier.derived("321", ofKey: key) == nil)
      #expect(tier.derived("320", ofKey: "car") == nil)
    }
    #expect(try Set(tier.keys()) == ["bike", long])
  }

  @Test(arguments: DiskTierTests.ways)
  func goWithTheirPicture(usesAttributes: Bool) throws {
    let tier = try tier(usesAttributes)
    let stamp = try tier.write(Data([1]), forKey: "bike")
    try tier.keepDerived(Data([2]), as: "320", ofKey: "bike", madeOf: stamp)

    let next = try tier.write(Data([1]), forKey: "bike")
    #expect(tier.derived("320", ofKey: "bike") == nil)
    #expect(try derivedFiles() == [])

    // What was made of the old picture comes late.
    try tier.keepDerived(Data([2]), as: "320", ofKey: "bike", madeOf: stamp)
    #expect(try derivedFiles() == [])

    try tier.keepDerived(Data([2]), as: "320", ofKey: "bike", madeOf: next)
    try tier.delete(forKey: "bike")
    #expect(tier.derived("320", ofKey: "bike") == nil)
    #expect(try derivedFiles() == [])
    if !usesAttributes { #expect(try folder.allFiles(in: ".imagestore/records") == []) }
  }

  @Test func areNeverTakenForAnotherPicturesAfterACrash() throws {
    let tier = try tier()
    let stamp = try tier.write(Data([1]), forKey: "bike")
    try tier.keepDerived(Data([2]), as: "320", ofKey: "bike", madeOf: stamp)
    let left = folder.path(".imagestore/derived/bike.jpg")
    try FileManager.default.moveItem(atPath: left, toPath: folder.path("aside"))
    try tier.write(Data([9]), forKey: "bike")

    // With its checksum.
    try FileManager.default.moveItem(atPath: folder.path("aside"), toPath: left)

    #expect(tier.derived("320", ofKey: "bike") == nil)
  }

  @Test func areNotReturnedWhenTheyAreDamaged() throws {
    let tier = try tier()
    let stamp = try tier.write(Data([1]), forKey: "bike")
    try tier.keepDerived(Data([2, 3]), as: "320", ofKey: "bike", madeOf: stamp)
    try folder.flipBit(3, of: ".imagestore/derived/" + #require(try derivedFiles().first))

    #expect(tier.derived("320", ofKey: "bike") == nil)
    #expect(try derivedFiles() == [])
    #expect(try tier.read(forKey: "bike") != nil)
  }

  @Test func countForTheLimitAndAsUse() throws {
    var options = ImageStore.DiskOptions.fast
    options.maximumByteCount = 3000
    let tier = try DiskTier(url: folder.url, options: options)
    let stamp = try tier.write(Data(count: 1000), forKey: "a")
    try tier.write(Data(count: 1000), forKey: "b")
    try tier.keepDerived(Data(count: 500), as: "320", ofKey: "a", madeOf: stamp)
    for (key, age) in [("a", 100), ("b", 50)] { folder.setAge(age, of: key + ".jpg") }
    let aged = try #require(tier.stamp(forKey: "a"))
    try tier.keepDerived(Data(count: 400), as: "320", ofKey: "a", madeOf: aged)
    #expect(tier.derived("320", ofKey: "a") != nil)

    try tier.write(Data(count: 1000), forKey: "c")

    #expect(try Set(tier.keys()) == ["a", "c"])
  }
}
