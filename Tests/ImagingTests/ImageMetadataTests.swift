import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct ImageMetadataTests {
  private func roundTrip(_ metadata: ImageMetadata) throws -> ImageMetadata {
    let jpeg = try JPEGEncoder().encode(Scene.bars().pixels(.yuyv), metadata: metadata)
    return jpeg.imageMetadata
  }

  @Test func readsBackAllThatItWrites() throws {
    var metadata = ImageMetadata()
    metadata.orientation = .leftMirrored
    metadata.dateTaken = Date(timeIntervalSince1970: 1_796_031_660)
    metadata.timeZoneOffset = -(3 * 3600 + 30 * 60)
    metadata.make = "Maker & Söhne"
    metadata.model = "M"
    metadata.software = "CaptureKitLinux"
    metadata.imageDescription = String(repeating: "long ", count: 200) + "end"
    metadata.exposureTime = .init(1, 160)
    metadata.isoSpeed = 100
    metadata.focalLength = .init(43, 10)
    #expect(try roundTrip(metadata) == metadata)
  }

  @Test(arguments: [0, 0.5, 0.123_456, 0.000_001, 0.999_999])
  func keepsFractionsOfASecond(_ fraction: Double) throws {
    var metadata = ImageMetadata()
    metadata.dateTaken = Date(timeIntervalSince1970: 1_796_031_660 + fraction)
    metadata.timeZoneOffset = 7200
    let read = try require(roundTrip(metadata).dateTaken)
    #expect(abs(read.timeIntervalSince1970 - 1_796_031_660 - fraction) < 1e-6)
  }

  @Test func keepsTheMomentWithoutAZone() throws {
    for seconds in stride(from: 0.0, to: 4e9, by: 86_400 * 1297.3) {
      var metadata = ImageMetadata()
      metadata.dateTaken = Date(timeIntervalSince1970: seconds.rounded())
      #expect(try roundTrip(metadata).dateTaken == metadata.dateTaken)
    }
  }

  @Test(
    arguments: [
      (0.0, 0, "1970:01:01 00:00:00"), (951_782_400, 0, "2000:02:29 00:00:00"),
      (4_107_542_400, 0, "2100:03:01 00:00:00"), (1_796_031_660, 3600, "2026:11:30 10:41:00"),
      (-1, 0, "1969:12:31 23:59:59"), (1_709_251_199, 0, "2024:02:29 23:59:59"),
      (1_709_251_199, 60, "2024:03:01 00:00:59"),
    ])
  func writesTheClockOnTheWall(_ seconds: Double, _ zone: Int, _ text: String) throws {
    let time = try require(ExifTime(Date(timeIntervalSince1970: seconds), secondsFromGMT: zone))
    #expect(time.text == text)
    let read = ExifTime.date(text, subseconds: nil, secondsFromGMT: zone)
    #expect(read == Date(timeIntervalSince1970: seconds))
  }

  @Test(
    arguments: [(0, "+00:00"), (7200, "+02:00"), (-12_600, "-03:30"), (50_400, "+14:00")])
  func writesZones(_ zone: Int, _ text: String) throws {
    #expect(try require(ExifTime(.now, secondsFromGMT: zone)).offset == text)
    #expect(ExifTime.secondsFromGMT(text) == zone)
  }

  @Test(arguments: [("0220", "0231"), ("0231", "0231"), ("0300", "0300")])
  func saysThatItKnowsZonesWhereItWritesOne(_ old: String, _ expected: String) throws {
    var cameras = ExifBlock()
    cameras.set(ExifBlock.Tag.exifVersion, in: .exif, undefined: Array(old.utf8))
    let bytes = cameras.serialized()
    var metadata = ImageMetadata()
    metadata.dateTaken = Date(timeIntervalSince1970: 0)
    metadata.timeZoneOffset = 0

    let tiff = try metadata.exif(
      changing: ExifBlock(bytes.span.bytes), size: PixelSize(width: 4, height: 3))

    let text = String(decoding: tiff, as: UTF8.self)
    for version in ["0220", "0231", "0232", "0300"] {
      #expect(text.contains(version) == (version == expected), "\(version)")
    }
  }

  @Test(arguments: ["", "Z", "+2", "+25:00", "02:00", "+02:60", "  :  ", "+-1:00"])
  func takesNothingElseForAZone(_ text: String) {
    #expect(ExifTime.secondsFromGMT(text) == nil)
  }

  @Test(
    arguments: [
      "", "0000:00:00 00:00:00", "    :  :     :  :  ", "2024:13:01 00:00:00", "not a date at all",
      "2024:01:01 24:00:00",
    ])
  func takesNothingElseForADate(_ text: String) {
    #expect(ExifTime.date(text, subseconds: nil, secondsFromGMT: 0) == nil)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e13, 9e11])
  func writesNoDateThatExifCannotHold(_ seconds: Double) throws {
    var metadata = ImageMetadata()
    metadata.make = "x"
    metadata.dateTaken = Date(timeIntervalSince1970: seconds)
    #expect(try roundTrip(metadata).dateTaken == nil)
  }

  @Test func survivesTextAndNumbersOfAnySize() throws {
    var metadata = ImageMetadata()
    metadata.imageDescription = String(repeating: "𝔸é", count: 9_000)
    metadata.make = "a\0b"
    metadata.model = ""
    metadata.isoSpeed = Int(UInt32.max)
    metadata.timeZoneOffset = .max
    metadata.dateTaken = .now
    metadata.exposureTime = .init(1, 0)
    let read = try roundTrip(metadata)
    #expect(read.make == "a")
    #expect(read.model == nil)
    #expect(read.isoSpeed == metadata.isoSpeed)
    #expect(read.exposureTime?.value == nil)
    #expect(read.imageDescription == metadata.imageDescription)
  }

  @Test func refusesTextsThatHaveNoRoomInTheSegment() throws {
    let long = "e" + String(repeating: "\u{301}", count: 60_000)
    var metadata = ImageMetadata()
    metadata.make = long
    metadata.model = long
    metadata.software = long
    metadata.imageDescription = long
    let pixels = try Scene.bars().pixels(.yuyv)
    let jpeg = try JPEGEncoder().encode(pixels)
    #expect(code { try JPEGEncoder().encode(pixels, metadata: metadata) } == .tooLarge)
    for picture in [jpeg, jpeg.asFromWebcam] {
      #expect(code { try picture.photo(metadata) } == .tooLarge)
      #expect(code { try JPEGThumbnailTests.changing(picture, .merging(metadata)) } == .tooLarge)
    }
  }

  @Test func saysNothingOfAPictureWithoutExif() throws {
    let jpeg = try JPEGEncoder().encode(Scene.bars().pixels(.yuyv))
    #expect(jpeg.imageMetadata.isEmpty)
    #expect(Data().imageMetadata.isEmpty)
  }
}
