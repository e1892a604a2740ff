import Foundation
import Testing

@testable import Imaging

/// Metadata that is as large as can be, cut off, or of numbers that make no sense.
@Suite(.timeLimit(.minutes(1)))
struct MetadataBoundsTests {
  /// An entry of a directory, with one number or with a place.
  typealias Entry = (tag: Int, type: Int, count: Int, field: Int)

  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func directory(_ entries: [Entry], next: Int = 0) -> [UInt8] {
    little(entries.count, 2)
      + entries.flatMap {
        little($0.tag, 2) + little($0.type, 2) + little($0.count, 4) + little($0.field, 4)
      } + little(next, 4)
  }

  /// A TIFF structure: the main directory at 8, and what follows it.
  static func tiff(_ entries: [Entry], next: Int = 0, _ rest: [UInt8]) -> [UInt8] {
    [0x49, 0x49, 42, 0, 8, 0, 0, 0] + directory(entries, next: next) + rest
  }

  static func jpeg(exif: [UInt8]) throws -> Data {
    try require(Image(Scene.bars().pixels(.bgra)).jpegData(compressionQuality: 0.5))
      .withoutSegments(0xE0).insertingSegment(0xE1, Array("Exif\0\0".utf8) + exif)
  }

  static func png(exif: [UInt8]) -> Data {
    var png = PNGBytes(width: 4, height: 4, colorType: 0, depth: 8) { x, _, _ in x }
    png.chunks = [("eXIf", exif)]
    return png.data
  }

  // MARK: Full segments

  @Test(arguments: [0, 1, 40])
  func stripsTheLocationOfAFullSegment(_ room: Int) throws {
    // The maker lies in the directory, which has to be written elsewhere when it changes.
    let block = Self.tiff(
      [(0x010F, 2, 8, 10), (0x0112, 3, 1, 6), (0x8825, 4, 1, 50)],
      Self.directory([(1, 2, 2, 0x4E)]))
    let full = block + [UInt8](repeating: 1, count: 65_527 - room - block.count)
    let file = try Self.jpeg(exif: full)

    let stripped = try Image(file).strippingLocation()

    #expect(stripped.orientation == .right && stripped.metadata.location == nil)
    let data = try require(stripped.encodedData)
    #expect(data.jpegScans == file.jpegScans)
    #expect(data.jpegContents(of: 0xE1).count == 1)
  }

  @Test func refusesASegmentThatIsTooLong() throws {
    let longest = try JPEGPicture.segment(0xE1, [UInt8](repeating: 0, count: 65_533))
    #expect(longest.prefix(4) == [0xFF, 0xE1, 0xFF, 0xFF])
    let error = #expect(throws: ImagingError.self) {
      try JPEGPicture.segment(0xE1, [UInt8](repeating: 0, count: 65_534))
    }
    #expect(error?.code == .tooLarge)
  }

  @Test func leavesOutAThumbnailThatNoLongerFits() throws {
    let count = 65_527 - 56
    let small = [0xFF, 0xD8] + [UInt8](repeating: 7, count: count - 2)
    let exif = Self.tiff(
      [(0x0112, 3, 1, 6)], next: 26,
      Self.directory([(0x0201, 4, 1, 56), (0x0202, 4, 1, count)]) + small)
    let file = try Self.jpeg(exif: exif)
    try #require(JPEGThumbnailTests.embedded(in: file)?.count == count)
    var metadata = ImageMetadata()
    metadata.orientation = .left
    metadata.imageDescription = String(repeating: "x", count: 500)

    for change in [.replacing(metadata), .stripping(.left)] as [JPEGPassthrough.MetadataChange] {
      let changed = try JPEGThumbnailTests.changing(file, change)
      #expect(changed.isWholeJPEG && changed.jpegScans == file.jpegScans)
      #expect(changed.imageMetadata.orientation == .left)
      #expect(JPEGThumbnailTests.embedded(in: changed) == nil)
    }
  }

  // MARK: Numbers

  @Test(arguments: [Int.min, -86_400, 86_400, .max])
  func writesNoTimeInAZoneThatIsNone(_ zone: Int) throws {
    var metadata = ImageMetadata()
    metadata.make = "Maker"
    metadata.dateTaken = Date(timeIntervalSince1970: 1_796_031_660)
    metadata.timeZoneOffset = zone

    let block = try metadata.exifBlock(changing: nil, size: PixelSize(width: 1, height: 1))

    let read = ImageMetadata(readingTIFF: block.span.bytes)
    #expect(read.make == "Maker" && read.dateTaken == nil)
  }

  /// Many entries, and many pointers to many entries.
  @Test(arguments: [(1, 40_000), (800, 800)])
  func stripsHugeDirectoriesInAMoment(_ pointers: Int, _ entries: Int) throws {
    let count = 8 + 2 + 12 + 4
    let location = count + 6 + 12 * pointers
    let values = location + 6 + 12 * entries
    let block =
      Self.tiff(
        [(0x8769, 4, 1, count)],
        Self.directory((0..<pointers).map { _ in (0x8825, 4, 1, location) }))
      + Self.directory((0..<entries).map { (1 + $0 % 31, 2, 8, values + 8 * $0) })
      + [UInt8](repeating: 0x4E, count: 8 * entries)
    try #require(block.count <= ExifBlock.maximumByteCount)
    let inMain = Self.tiff([(0x8825, 4, 1, location)], Array(block.dropFirst(count)))
    for exif in [block, inMain] {
      let data = try require(Image(Self.png(exif: exif)).strippingLocation().encodedData)
      #expect(data.range(of: Data("NNNNNNNN".utf8)) == nil)
    }
  }

  // MARK: Files that stop

  @Test(arguments: ["eXIf", "tEXt", "prVt"])
  func dropsWhatAPNGStopsIn(_ type: String) throws {
    let whole = Self.png(exif: Self.tiff([(0x0112, 3, 1, 1)], []))
    let cut =
      whole.dropLast(12) + PNGBytes.chunk(type, Array("Comment\0GPS 48.85 N".utf8)).dropLast(2)
    let image = try Image(Data(cut))
    for stripped in [try image.strippingLocation(), try image.strippingAllMetadata()] {
      let data = try require(stripped.encodedData)
      #expect(data.range(of: Data("48.85".utf8)) == nil)
      #expect(data.pngChunks.last?.type == "IDAT")
    }
  }

  @Test func keepsTheSamplesThatAPNGStopsIn() throws {
    let whole = Self.png(exif: Self.tiff([(0x0112, 3, 1, 1)], []))
    let cut = Data(whole.dropLast(12 + 8))
    let image = try Image(cut)
    for stripped in [try image.strippingLocation(), try image.strippingAllMetadata()] {
      #expect(try require(stripped.encodedData).suffix(20) == cut.suffix(20))
    }
  }
}
