import Foundation
import Imaging
import LinuxSystem
import TestSupport
import Testing

@testable import ImageCache

@Suite(.timeLimit(.minutes(1)))
struct DiskIntegrityTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func tier(_ usesAttributes: Bool = true) throws -> DiskTier {
    try DiskTier(url: folder.url, options: .fast, usesAttributes: usesAttributes)
  }

  private func jpeg(_ shade: UInt8 = 128) throws -> Data {
    let layout = try #require(PixelLayout(format: .grey, width: 32, height: 16))
    let bytes = [UInt8](repeating: shade, count: 32 * 16)
    let picture = Image(try #require(PixelBuffer(layout: layout, bytes: bytes)))
    return try #require(picture.jpegData(compressionQuality: 0.9))
  }

  @Test(arguments: DiskTierTests.ways)
  func setsAsideEachPictureWithAFlippedBit(usesAttributes: Bool) throws {
    let tier = try tier(usesAttributes)
    let bytes = try jpeg()
    var random = StoredSample.Generator(state: 5)
    for number in 0..<60 {
      try tier.write(bytes, forKey: "\(number)")
      try folder.flipBit(Int(random.next() % UInt64(bytes.count * 8)), of: "\(number).jpg")
    }

    for number in 0..<60 { #expect(try tier.read(forKey: "\(number)") == nil) }

    #expect(try tier.keys() == [])
    #expect(tier.statistics.verificationFailures == 60 && tier.statistics.misses == 60)
    let kept = try FileManager.default.contentsOfDirectory(atPath: tier.layout.damaged)
    #expect(kept.count == DiskTier.maximumDamagedCount)
    // The key is free again.
    try tier.write(bytes, forKey: "7")
    #expect(try tier.read(forKey: "7")?.bytes == bytes)
  }

  @Test(arguments: DiskTierTests.ways)
  func neverReturnsATruncatedPicture(usesAttributes: Bool) throws {
    let tier = try tier(usesAttributes)
    let bytes = try jpeg()
    for count in [0, 1, bytes.count / 2, bytes.count - 1] {
      try tier.write(bytes, forKey: "bike")
      folder.truncate("bike.jpg", to: count)

      #expect(try tier.read(forKey: "bike") == nil, "\(count)")
    }
    #expect(tier.statistics.verificationFailures == 4)
  }

  @Test func seesDamageInAttributesToo() throws {
    let tier = try tier()
    try tier.write(jpeg(), forKey: "bike")
    try tier.write(jpeg(), forKey: "car")
    let text = try #require(attribute(Checksum.attribute, of: folder.path("bike.jpg")))
    let other = text.dropLast(1) + "9"
    #expect(setAttribute(Checksum.attribute, other, of: folder.path("car.jpg")))

    #expect(try tier.read(forKey: "car") == nil)
    #expect(try tier.read(forKey: "bike") != nil)
  }

  @Test func writesChecksumsThatAPersonCanCheck() throws {
    let tier = try tier()

    try tier.write(Data("hello\n".utf8), forKey: "bike")

    // What xxh128sum prints for it.
    #expect(
      attribute(Checksum.attribute, of: folder.path("bike.jpg"))
        == "xxh3:6bba86c7e069f56d5a10b435f1c8e49c:6")
  }

  @Test(arguments: DiskTierTests.ways)
  func readsAPictureThatSomebodyElseHasPutThere(usesAttributes: Bool) throws {
    let tier = try tier(usesAttributes)
    let bytes = try jpeg()
    try bytes.write(to: tier.fileURL(forKey: "bike"))

    // Somebody may still be writing it: it gets no checksum yet.
    #expect(try tier.read(forKey: "bike")?.bytes == bytes)
    #expect(tier.statistics.adoptions == 0)
    folder.setAge(60, of: "bike.jpg")
    #expect(try tier.read(forKey: "bike")?.bytes == bytes)

    #expect(tier.statistics.adoptions == (usesAttributes ? 1 : 0))
    if usesAttributes {
      try folder.flipBit(bytes.count * 4, of: "bike.jpg")
      #expect(try tier.read(forKey: "bike") == nil)
    }
  }

  @Test(arguments: DiskTierTests.ways)
  func readsAPictureThatSomebodyHasPutInThePlaceOfOurs(usesAttributes: Bool) throws {
    let tier = try tier(usesAttributes)
    try tier.write(jpeg(10), forKey: "bike")
    folder.setAge(100, of: "bike.jpg")

    try jpeg(200).write(to: tier.fileURL(forKey: "bike"), options: .atomic)

    #expect(try tier.read(forKey: "bike")?.bytes == jpeg(200))
    #expect(tier.statistics.verificationFailures == 0)
  }

  @Test(arguments: DiskTierTests.ways)
  func waitsForAPictureThatSomebodyElseIsWriting(usesAttributes: Bool) throws {
    let tier = try tier(usesAttributes)
    let bytes = try jpeg()
    for part in [Data(), bytes.prefix(bytes.count / 2), Data("no picture".utf8)] {
      try part.write(to: tier.fileURL(forKey: "bike"))
      #expect(try tier.read(forKey: "bike") == nil)
      #expect(try tier.keys() == ["bike"])
    }

    folder.setAge(60, of: "bike.jpg")
    #expect(try tier.read(forKey: "bike") == nil)
    #expect(try tier.keys() == [])
    #expect(try folder.text(of: ".imagestore/damaged/bike.jpg") == "no picture")
  }

  @Test func doesNotSetAsideAPictureThatWasReplacedMeanwhile() throws {
    let tier = try tier()
    try tier.write(jpeg(10), forKey: "bike")
    let old = try #require(try FileStatus(ofFile: folder.path("bike.jpg")))
    try tier.write(jpeg(200), forKey: "bike")

    #expect(!tier.setAside("bike.jpg", old))
    #expect(tier.evict([FolderEntry(name: "bike.jpg", status: old)]) == 0)

    #expect(try tier.read(forKey: "bike")?.bytes == jpeg(200))
  }

  /// What a crash leaves between the steps of a write.
  @Test func takesTheOldPictureAndTheNewOneForWholeWhereThereAreNoAttributes() throws {
    let tier = try tier(false)
    try tier.write(jpeg(10), forKey: "bike")
    let record = tier.layout.record("bike.jpg")
    let old = try Data(contentsOf: URL(filePath: record))
    try tier.write(jpeg(200), forKey: "bike")
    let new = try Data(contentsOf: URL(filePath: record))

    // Before the picture has its name, and after it while the record still has both.
    try (new + old).write(to: URL(filePath: record))
    #expect(try tier.read(forKey: "bike")?.bytes == jpeg(200))
    let aside = folder.path("aside")
    try FileManager.default.moveItem(atPath: folder.path("bike.jpg"), toPath: aside)
    try jpeg(10).write(to: tier.fileURL(forKey: "bike"))
    #expect(try tier.read(forKey: "bike")?.bytes == jpeg(10))
    #expect(tier.statistics.verificationFailures == 0)
  }

  @Test func keepsTheOldPictureWhereTheNewOnesRecordCannotBeKept() throws {
    let tier = try tier(false)
    try tier.write(jpeg(10), forKey: "bike")
    let records = tier.layout.records
    try FileManager.default.moveItem(atPath: records, toPath: folder.path("aside"))
    try Data().write(to: URL(filePath: records))

    #expect(throws: ImageStoreError.self) { try tier.write(jpeg(200), forKey: "bike") }

    try FileManager.default.removeItem(atPath: records)
    try FileManager.default.moveItem(atPath: folder.path("aside"), toPath: records)
    #expect(try tier.read(forKey: "bike")?.bytes == jpeg(10))
    #expect(try FileManager.default.contentsOfDirectory(atPath: tier.layout.unfinished) == [])
  }

  @Test func readsBackWhatSideRecordsSay() throws {
    let entry = SideRecord.Entry(
      checksum: Checksum(of: [1, 2, 3].span.bytes), fileNumber: 7, modified: -5)
    let record = SideRecord(entries: [entry, entry], key: "a\nkey:\n\0é")

    let read = SideRecord(parsing: record.bytes)

    #expect(read.entries == record.entries && read.key == record.key)
    for count in 0..<record.bytes.count {
      _ = SideRecord(parsing: Array(record.bytes.prefix(count)))
    }
    let empty = Checksum(of: Data().bytes)
    #expect(Checksum(empty.text) == empty)
  }
}

func attribute(_ name: String, of path: String) -> String? {
  (try? OpenFile(reading: path))?.attribute(name, atMost: 4096).map {
    String(decoding: $0, as: UTF8.self)
  }
}

func setAttribute(_ name: String, _ value: some StringProtocol, of path: String) -> Bool {
  guard let file = try? OpenFile(reading: path) else { return false }
  return file.setAttribute(name, to: Array(value.utf8))
}
