import Foundation
import Testing

@testable import Imaging

/// Small pictures within a JPEG file: none is left that shows what the picture no longer does.
@Suite(.timeLimit(.minutes(1)))
struct SmallPicturesTests {
  private typealias Bytes = MetadataBoundsTests

  private static func jpeg(_ width: Int = 96, _ height: Int = 64) throws -> Data {
    try JPEGEncoder(quality: 0.95).encode(
      Scene.gradient(width: width, height: height).pixels(.nv12))
  }

  /// A JPEG picture as cameras have it in their maker notes, without segments of its own.
  private static func small(_ width: Int = 40) throws -> [UInt8] {
    Array(try JPEGEncoder(quality: 0.5).encode(Scene.bars().pixels(.nv12)))
      + [UInt8](repeating: 0, count: width % 2)
  }

  /// Edits that move pixels, of pictures whose blocks allow it and of others.
  private static func edited(_ data: Data) throws -> [Image] {
    let image = try Image(data)
    return [
      try image.cropped(to: PixelRect(x: 16, y: 16, width: 32, height: 32), oddEdges: .fail),
      try image.cropped(to: PixelRect(x: 3, y: 5, width: 32, height: 32)),
      try image.rotated(by: .half, oddEdges: .trim), try image.mirrored(),
    ]
  }

  // MARK: EXIF's thumbnail

  @Test(arguments: ImageOrientation.allCases, [(96, 64), (91, 61)])
  func thumbnailFollowsThePicture(_ orientation: ImageOrientation, _ size: (Int, Int)) throws {
    var metadata = ImageMetadata()
    metadata.orientation = orientation
    let plain = try Self.jpeg(size.0, size.1)
    let image = try Image(
      JPEGThumbnailTests.changing(
        plain, .merging(metadata), .replacing(JPEGThumbnailTests.thumbnail(of: plain, 48, 48))))
    let part = PixelRect(x: 16, y: 0, width: 32, height: 40)

    for oddEdges in [OddEdges.trim, .reencode(), .exifOnly] {
      var edited = [
        try image.rotated(by: .clockwise90, oddEdges: oddEdges),
        try image.rotated(by: .half, oddEdges: oddEdges),
        try image.rotated(by: .counterclockwise90, oddEdges: oddEdges),
        try image.mirrored(.horizontal, oddEdges: oddEdges),
        try image.mirrored(.vertical, oddEdges: oddEdges),
        try image.bakingOrientation(oddEdges: oddEdges),
      ]
      if oddEdges != .exifOnly { edited.append(try image.cropped(to: part, oddEdges: oddEdges)) }
      for picture in edited {
        let data = try require(picture.encodedData)
        let thumbnail = try Image(require(JPEGThumbnailTests.embedded(in: data))).pixelBuffer()
        // That a trimmed picture's shows a few columns more does not matter.
        let expected = try Image(picture.pixelBuffer()).resized(
          to: CGSize(width: thumbnail.width, height: thumbnail.height), contentMode: .scaleToFill)
        #expect(try thumbnail.meanError(to: expected.pixelBuffer()) < 9)
        let isWide = thumbnail.width > thumbnail.height
        #expect(isWide == (picture.pixelWidth > picture.pixelHeight))
      }
    }
  }

  /// Lengths of two bytes, and rows that are not compressed.
  @Test(arguments: [(0x0201, 0x0202, 3), (0x0201, 0x0202, 4), (0x0111, 0x0117, 3)])
  func leavesNothingOfAThumbnail(_ place: Int, _ count: Int, _ type: Int) throws {
    let small = place == 0x0201 ? try Self.small() : [UInt8](repeating: 0xA5, count: 300)
    let directory = 8 + 6 + 12
    let start = directory + 6 + 2 * 12
    let block = Bytes.tiff(
      [(0x0112, 3, 1, 1)], next: directory,
      Bytes.directory([(place, 4, 1, start), (count, type, 1, small.count)]) + small + [1, 2, 3])
    let data = try Self.jpeg().insertingSegment(0xE1, Array("Exif\0\0".utf8) + block)
    let seen = Data(small[100..<200])
    #expect(data.range(of: seen) != nil)

    for picture in try Self.edited(data) {
      #expect(try require(picture.encodedData).range(of: seen) == nil)
    }
  }

  // MARK: Those of cameras

  @Test(arguments: [0, 30, -20])
  func goFromMakerNotesInWhichNothingMoves(_ missing: Int) throws {
    let small = try Self.small()
    let note =
      Array("Maker\0".utf8) + small.dropLast(max(0, missing)) + (missing == 0 ? [7, 8, 9, 10] : [])
    let exif = 8 + 6 + 12 * 2
    let start = exif + 6 + 12
    let block = Bytes.tiff(
      [(0x0112, 3, 1, 1), (0x8769, 4, 1, exif)],
      Bytes.directory([(0x927C, 7, note.count, start)]) + note + small.prefix(max(0, -missing)))
    let data = try Self.jpeg().insertingSegment(0xE1, Array("Exif\0\0".utf8) + block)
    var left = note
    let end = missing == 0 ? note.count - 4 : note.count
    for index in 6..<end { left[index] = 0 }

    for picture in try Self.edited(data) {
      let segment = try require(picture.encodedData?.jpegContents(of: 0xE1).first)
      #expect(Array(segment.dropFirst(6 + start).prefix(note.count)) == left)
    }
    let tagged = try Image(data).withOrientation(.left)
    #expect(tagged.encodedData?.range(of: Data(note)) != nil)
  }

  @Test(
    .enabled(if: SharedPictures.areThere, "the shared pictures are not beside the package"))
  func goFromACamerasPicture() throws {
    let data = try SharedPictures.data("cameras/Samsung_Digimax_i50_MP3.jpg")
    let note = try require(data.jpegContents(of: 0xE1).first)
    // It is all that the maker's note is.
    let seen = Data(note[20_000..<20_100])
    let image = try Image(data)
    let cropped = try image.cropped(to: PixelRect(x: 16, y: 16, width: 64, height: 32))
    let file = try require(cropped.encodedData)
    #expect(file.range(of: seen) == nil)
    #expect(cropped.metadata.model == image.metadata.model)
    #expect(JPEGThumbnailTests.embedded(in: file) != nil)
  }

  @Test func goFromSegmentsOfPrograms() throws {
    let small = try Self.small()
    let data = try [
      (0xEF, Array("other".utf8)), (0xE3, Array("Meta\0\0".utf8)), (0xE4, Array("between".utf8)),
      (0xE3, Array(small[200...])), (0xE3, Array(small[..<200])), (0xE2, Array("FPXR\0".utf8)),
      (0xE2, Array("MPF\0".utf8)), (0xE1, Array("FLIR\0".utf8) + small),
    ].reduce(Self.jpeg()) { $0.insertingSegment(UInt8($1.0), $1.1) }

    for picture in try Self.edited(data) {
      let file = try require(picture.encodedData)
      let kept = file.jpegMarkers.filter { $0 > 0xE1 }
      #expect(kept == [0xE4, 0xE3, 0xEF])
      #expect(file.jpegContents(of: 0xE3) == [Data("Meta\0\0".utf8)])
      #expect(file.jpegContents(of: 0xE1).count == 1)
    }
  }

  /// Resources that have no room in one segment go on in the next.
  @Test func goFromPhotoshopsResourcesThatAreCut() throws {
    func resource(_ number: UInt8, _ size: Int, _ content: [UInt8]) -> [UInt8] {
      Array("8BIM".utf8) + [4, number, 0, 0] + PNGBytes.bigEndian(size) + content
    }
    let header = Array("Photoshop 3.0\0".utf8)
    let iptc = resource(4, 6, [0x1C, 2, 5, 0, 1, 0x41])
    let small = resource(12, 40, [UInt8](repeating: 0xA5, count: 20))
    let other = resource(30, 40, [UInt8](repeating: 3, count: 20))
    for (first, second, kept) in [
      (iptc + small, [UInt8](repeating: 0xA5, count: 20), [header + iptc]),
      (small, iptc, [header, header + iptc]),
      (iptc + other, [UInt8](repeating: 3, count: 20), [header + iptc + other, header + [3]]),
      (
        resource(12, 2, [0xA5, 0xA5]) + other, [UInt8](repeating: 3, count: 20),
        [header + other, header + [3]]
      ),
    ] {
      let data = try Self.jpeg().insertingSegment(0xED, header + second)
        .insertingSegment(0xED, header + first)
      for picture in try Self.edited(data) {
        let contents = try require(picture.encodedData).jpegContents(of: 0xED)
        #expect(contents.count == kept.count)
        for (content, expected) in zip(contents, kept) {
          #expect(content.starts(with: expected) && content.range(of: Data([0xA5])) == nil)
        }
      }
    }
  }
}
