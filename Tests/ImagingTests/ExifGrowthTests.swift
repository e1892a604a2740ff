import Foundation
import Testing

@testable import Imaging

/// Edits after edits of one file.
@Suite(.timeLimit(.minutes(2)))
struct ExifGrowthTests {
  /// A maker note and bytes behind it that only it knows of, which must not move.
  private static let note = Array("MAKER with offsets".utf8) + [0, 0]
  private static let foreign = Array("what the note speaks of".utf8) + [0]

  private static func file() throws -> Data {
    typealias Bytes = MetadataBoundsTests
    let exif = 8 + 6 + 12 * 2
    let values = exif + 6 + 12
    let block = Bytes.tiff(
      [(0x0112, 3, 1, 1), (0x8769, 4, 1, exif)],
      Bytes.directory([(0x927C, 7, note.count, values)]) + note + foreign)
    return try Bytes.jpeg(exif: block)
  }

  private func place(of bytes: [UInt8], in image: Image) throws -> Int {
    let data = try require(image.encodedData)
    let exif = try require(JPEGStructure(headersOf: data.bytes).exif(in: data.bytes))
    return try require(data.range(of: Data(bytes))).lowerBound - exif.lowerBound
  }

  /// The n-th of edits that differ, with texts of up to some 90 bytes.
  private func change(_ number: Int, _ metadata: inout ImageMetadata) {
    let text = String(repeating: "x", count: 10 + number * 37 % 80)
    switch number % 9 {
    case 0: metadata.imageDescription = text
    case 1: metadata.make = number % 2 == 0 ? nil : text
    case 2:
      metadata.location = .init(latitude: Double(number % 90), longitude: 2, altitude: 35)
    case 3: metadata.location = nil
    case 4:
      metadata.dateTaken = Date(timeIntervalSince1970: Double(number) * 1000.25)
      metadata.timeZoneOffset = 3600
    case 5: metadata.orientation = ImageOrientation.allCases[number / 9 % 8]
    case 6: metadata.isoSpeed = number % 2 == 0 ? 400 : 100_000
    case 7: metadata.software = text
    default: (metadata.dateTaken, metadata.timeZoneOffset) = (nil, nil)
    }
  }

  @Test func doesNotGrowWithTheNumberOfEdits() throws {
    var image = try Image(Self.file())
    let places = try [Self.note, Self.foreign].map { try place(of: $0, in: image) }
    let bound = try require(image.encodedData).count + 1200
    var expected = image.metadata
    for number in 0..<5000 {
      change(number, &expected)
      image = try image.settingMetadata(expected)
      let isKept = image.metadata == expected && (image.encodedData?.count ?? .max) <= bound
      try #require(isKept, "edit \(number)")
    }
    #expect(try [Self.note, Self.foreign].map { try place(of: $0, in: image) } == places)
  }

  @Test func leavesWhatOthersAppended() throws {
    let first = try Image(Self.file()).changingMetadata { $0.make = "A maker" }
    let data = try require(first.encodedData)
    let exif = try require(JPEGStructure(headersOf: data.bytes).exif(in: data.bytes))
    let theirs = Array(data[exif]) + Array("appended by others".utf8)
    var image = try Image(MetadataBoundsTests.jpeg(exif: theirs))
    let old = try place(of: Array("appended".utf8), in: image)
    for number in 0..<20 {
      image = try image.changingMetadata { $0.make = String(repeating: "m", count: 9 + number) }
    }
    #expect(try place(of: Array("appended".utf8), in: image) == old)
    #expect(try place(of: Self.foreign, in: image) < old)
  }

  /// A mark that somebody else wrote, or a file that was changed behind it.
  @Test func believesNoMarkThatLies() throws {
    typealias Bytes = MetadataBoundsTests
    let mark = Array("CKLinux\0".utf8)
    for start in [0, 8, 9, 44, 56, 1000, Int(UInt32.max)] {
      let exif = 8 + 6 + 12 * 2
      let values = exif + 6 + 12
      let block = Bytes.tiff(
        [(0x0112, 3, 1, 1), (0x8769, 4, 1, exif)],
        Bytes.directory([(0x927C, 7, Self.note.count, values)]) + Self.note + Self.foreign + mark
          + Bytes.little(start, 4))
      let image = try Image(Bytes.jpeg(exif: block))
      let changed = try image.changingMetadata { $0.make = "A maker" }
      #expect(changed.metadata.make == "A maker")
      #expect(try place(of: Self.note, in: changed) == place(of: Self.note, in: image))
    }
  }

  @Test func keepsItsThumbnail() throws {
    let small = try Scene.gradient(width: 16, height: 16).pixels(.bgra)
    let file = try JPEGThumbnailTests.changing(
      Self.file(), .merging(ImageMetadata()), .replacing(small))
    let thumbnail = try require(JPEGThumbnailTests.embedded(in: file))
    var image = try Image(file)
    for number in 0..<30 {
      image = try image.changingMetadata { $0.make = String(repeating: "m", count: 9 + number) }
      #expect(try JPEGThumbnailTests.embedded(in: require(image.encodedData)) == thumbnail)
    }
    #expect(try require(image.encodedData).count <= file.count + 120)
    let without = try JPEGThumbnailTests.changing(
      require(image.encodedData), .merging(image.metadata), .removing)
    #expect(without.range(of: thumbnail) == nil)
  }
}
