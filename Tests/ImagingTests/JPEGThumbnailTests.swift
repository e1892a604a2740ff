import Foundation
import Testing

@testable import Imaging

/// Small pictures within the EXIF segment, and what else a file says of itself.
@Suite(.timeLimit(.minutes(1)))
struct JPEGThumbnailTests {
  private let picture: Data
  private let small: PixelBuffer
  private var metadata = ImageMetadata()

  init() throws {
    picture = try JPEGEncoder().encode(Scene.gradient(width: 640, height: 360).pixels(.yuyv))
    small = try Self.thumbnail(of: picture, 160, 120)
    metadata.orientation = .right
    metadata.make = "Maker"
    metadata.imageDescription = "A gradient"
  }

  static func thumbnail(of jpeg: Data, _ width: Int, _ height: Int) throws -> PixelBuffer {
    try JPEGThumbnail.pixels(of: jpeg.bytes, fitting: PixelSize(width: width, height: height))
  }

  static func embedded(in jpeg: Data) -> Data? { JPEGThumbnail.embedded(in: jpeg.bytes) }

  static func changing(
    _ jpeg: Data, _ metadata: JPEGPassthrough.MetadataChange,
    _ thumbnail: JPEGPassthrough.ThumbnailChange = .keeping
  ) throws -> Data {
    try JPEGPassthrough.changing(jpeg.bytes, metadata: metadata, thumbnail: thumbnail)
  }

  // MARK: Small pictures

  @Test(arguments: [
    (160, 120, 160, 90), (90, 90, 90, 51), (2000, 2000, 640, 360), (1, 1, 1, 1),
    (641, 359, 638, 359),
  ])
  func fitsIntoTheBox(width: Int, height: Int, expectedWidth: Int, expectedHeight: Int) throws {
    let pixels = try Self.thumbnail(of: picture, width, height)

    #expect(pixels.width == expectedWidth && pixels.height == expectedHeight)
  }

  @Test func showsThePicture() throws {
    let scene = Scene.gradient(width: 640, height: 360)

    let error = small.largestError { x, y in scene.color(x * 4 + 2, y * 4 + 2) }

    #expect(error < 6)
  }

  // MARK: In the file

  @Test func liesInTheFile() throws {
    let file = try Self.changing(picture, .merging(metadata), .replacing(small))

    let thumbnail = try #require(Self.embedded(in: file))
    #expect(try Image(thumbnail).pixelBuffer().meanError(to: small) < 3)
    #expect(!thumbnail.jpegMarkers.contains { (0xE0...0xEF).contains($0) })
    #expect(file.imageMetadata == metadata)
    #expect(file.jpegScans == picture.jpegScans)
    #expect(try Image(file).pixelBuffer().width == 640)
  }

  @Test func isReplacedAndNotAdded() throws {
    let once = try Self.changing(picture, .merging(metadata), .replacing(small))
    let other = try Self.thumbnail(of: picture, 80, 45)
    var file = once
    for _ in 0..<8 { file = try Self.changing(file, .merging(metadata), .replacing(other)) }

    #expect(try Image(#require(Self.embedded(in: file))).pixelWidth == 80)
    #expect(file.imageMetadata == metadata)
    #expect(file.count < once.count + 10_000)
  }

  @Test func isEncodedWorseWhereItHasNoRoom() throws {
    let noise = Scene(width: 640, height: 640) { x, y in
      let level = Double((x &* 7919 ^ y &* 104_729) & 255)
      return Scene.Color(red: level, green: 255 - level, blue: Double((x &* y) & 255))
    }
    let file = try Self.changing(picture, .merging(metadata), .replacing(noise.pixels(.bgra32)))

    #expect(file.jpegContents(of: 0xE1).allSatisfy { $0.count <= 65_533 })
    #expect(file.imageMetadata == metadata)
    #expect(file.jpegScans == picture.jpegScans)
  }

  @Test func goesWhereItIsAskedTo() throws {
    let file = try Self.changing(picture, .merging(metadata), .replacing(small))

    let without = try Self.changing(file, .merging(metadata), .removing)

    #expect(Self.embedded(in: without) == nil)
    #expect(without.count < file.count - 1000)
    #expect(without.imageMetadata == metadata)
  }

  @Test func outlivesOtherMetadata() throws {
    let file = try Self.changing(picture, .merging(metadata), .replacing(small))
    var other = ImageMetadata()
    other.model = "Model"

    let replaced = try Self.changing(file, .replacing(other))
    let stripped = try Self.changing(file, .stripping(.up))

    #expect(replaced.imageMetadata == other)
    #expect(stripped.imageMetadata == ImageMetadata())
    for changed in [replaced, stripped] {
      #expect(Self.embedded(in: changed) == Self.embedded(in: file))
    }
  }

  @Test func survivesDamagedDirectories() throws {
    let file = try Self.changing(picture, .merging(metadata), .replacing(small))
    let head = file.jpegSegments.first?.range ?? 0..<0
    for place in stride(from: head.lowerBound, to: head.upperBound, by: 13) {
      var damaged = file
      damaged[place] ^= 0xFF
      _ = Self.embedded(in: damaged)
      _ = try? Self.changing(damaged, .merging(metadata), .replacing(small))
    }
  }

  // MARK: What else the file says

  @Test func leavesNothingInAStrippedFile() throws {
    let file = try Self.changing(picture, .merging(metadata))
      .insertingSegment(0xED, Array("Photoshop 3.0\0".utf8))
      .insertingSegment(0xFE, Array("a comment".utf8))
      .insertingSegment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))
      .insertingSegment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8))

    let stripped = try Self.changing(file, .stripping(.up), .removing)

    #expect(stripped.jpegMarkers.filter { $0 >= 0xE0 } == [0xE0, 0xE2])
    #expect(stripped.jpegScans == picture.jpegScans)
  }

  @Test func keepsAStrippedPictureUpright() throws {
    let stripped = try Self.changing(picture, .stripping(.left))

    var expected = ImageMetadata()
    expected.orientation = .left
    #expect(stripped.imageMetadata == expected)
  }

  @Test func keepsOtherSegmentsWhereOnlyTagsChange() throws {
    let file = picture.insertingSegment(0xFE, Array("a comment".utf8))

    let changed = try Self.changing(file, .merging(metadata))

    #expect(changed.jpegContents(of: 0xFE) == [Data("a comment".utf8)])
  }

  @Test func refusesHalfAPicture() {
    let error = #expect(throws: ImagingError.self) {
      try Self.changing(Data(picture.prefix(picture.count / 2)), .stripping(.up))
    }
    #expect(error?.code == .incomplete)
  }
}
