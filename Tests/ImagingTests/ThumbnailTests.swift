import Foundation
import Testing

@testable import Imaging

/// Small pictures as a user asks for them: of pictures, of files, of damaged ones.
@Suite(.timeLimit(.minutes(1)))
struct ThumbnailTests {
  private static let scene = Scene.gradient(width: 320, height: 240)

  /// A file that is gone with the value.
  private final class File {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).jpg")
    init(_ data: Data) throws { try data.write(to: url) }
    deinit { try? FileManager.default.removeItem(at: url) }
  }

  private static func oriented(_ orientation: ImageOrientation) throws -> Data {
    var metadata = ImageMetadata()
    metadata.orientation = orientation
    return try JPEGEncoder(quality: 0.95).encode(scene.pixels(.rgb24), metadata: metadata)
  }

  // MARK: Upright

  @Test(arguments: ImageOrientation.allCases)
  func isUpright(_ orientation: ImageOrientation) throws {
    let data = try Self.oriented(orientation)
    let image = try Image(data)
    let whole = try image.orientedPixelBuffer()
    let file = try File(data)

    let thumbnails = [
      try image.thumbnail(maxPixelSize: 64),
      try Image.thumbnail(contentsOf: file.url, maxPixelSize: 64),
    ]

    for thumbnail in thumbnails {
      #expect(thumbnail.orientation == .up && thumbnail.encodedData == nil)
      #expect(thumbnail.size == PixelSize(width: 64, height: 48).shown(by: orientation))
      let placement = ScalePlacement(whole: whole.size, at: thumbnail.size)
      let error = try ReferenceScaler(placement: placement).largestError(
        of: thumbnail.pixelBuffer(), from: whole)
      #expect(error < 4)
    }
  }

  @Test(arguments: ImageOrientation.allCases)
  func isCutInTheMiddle(_ orientation: ImageOrientation) throws {
    let image = try Image(Self.oriented(orientation))
    let whole = try image.orientedPixelBuffer()

    let filled = try image.resized(
      to: CGSize(width: 20, height: 50), contentMode: .scaleAspectFill, scale: 2)

    #expect(filled.size == PixelSize(width: 40, height: 100))
    let placement = try ScalePlacement(
      of: whole.size, filling: CGSize(width: 40, height: 100), scale: 1, .scaleAspectFill)
    let error = try ReferenceScaler(placement: placement).largestError(
      of: filled.pixelBuffer(), from: whole)
    #expect(error < 4)
  }

  @Test func isTheSameOfAFileAsOfItsBytes() throws {
    for data in [
      try Self.oriented(.right), StoredPictures.progressive, StoredPictures.cmyk,
      Data([0x00, 0xFF, 0xD8, 0x11]) + (try Self.oriented(.left)),
      try Self.oriented(.up).asFromWebcam,
    ] {
      let file = try File(data)
      for isLinear in [false, true] {
        let one = try Image(data).thumbnail(maxPixelSize: 50, inLinearLight: isLinear)
        let other = try Image.thumbnail(
          contentsOf: file.url, maxPixelSize: 50, inLinearLight: isLinear)
        #expect(one.size == other.size)
        #expect(try one.pixelBuffer().meanError(to: other.pixelBuffer()) == 0)
      }
    }
  }

  @Test func isMadeOfPixelsToo() throws {
    for format in [PixelFormat.yuyv, .nv12, .grey, .rgb24, .bgra32] {
      let image = try Image(Self.scene.pixels(format))
      let whole = try image.pixelBuffer()

      let thumbnail = try image.thumbnail(maxPixelSize: 100)

      let placement = ScalePlacement(whole: whole.size, at: PixelSize(width: 100, height: 75))
      let error = try ReferenceScaler(placement: placement).largestError(
        of: thumbnail.pixelBuffer(), from: whole)
      #expect(error < 1)
    }
  }

  @Test func isMadeOfAFileOfAnotherKind() throws {
    let image = try Image(Self.scene.pixels(.bgra32))
    let file = try File(require(image.pngData()))

    let thumbnail = try Image.thumbnail(contentsOf: file.url, maxPixelSize: 50)

    let expected = try image.thumbnail(maxPixelSize: 50)
    #expect(try thumbnail.pixelBuffer().meanError(to: expected.pixelBuffer()) == 0)
  }

  @Test func keepsTheColourProfile() throws {
    var bytes = Data(count: 70_000)
    bytes.replaceSubrange(0..<4, with: [0, 1, 0x11, 0x70])
    bytes.replaceSubrange(16..<20, with: Data("RGB ".utf8))
    bytes.replaceSubrange(36..<40, with: Data("acsp".utf8))
    let profile = try require(ColorProfile(bytes))
    let jpeg = try Self.oriented(.up)
    let data = jpeg.prefix(2) + JPEGStructure.segments(of: profile) + jpeg.dropFirst(2)
    let file = try File(data)

    #expect(try Image(data).thumbnail(maxPixelSize: 50).colorProfile == profile)
    #expect(try Image.thumbnail(contentsOf: file.url, maxPixelSize: 50).colorProfile == profile)
  }

  @Test func keepsASmallPicturesSize() throws {
    let image = try Image(Self.oriented(.right))

    #expect(try image.thumbnail(maxPixelSize: 320).size == image.size)
    #expect(try image.thumbnail(maxPixelSize: 100_000).size == image.size)
    #expect(try image.thumbnail(maxPixelSize: 1).size == PixelSize(width: 1, height: 1))
  }

  @Test func enlargesWhereItIsAskedTo() throws {
    let image = try Image(Self.oriented(.up))

    let large = try image.resized(to: CGSize(width: 700, height: 700))
    let stretched = try image.resized(
      to: CGSize(width: 17, height: 400), contentMode: .scaleToFill)

    #expect(large.size == PixelSize(width: 700, height: 525))
    #expect(
      try large.pixelBuffer().largestError { x, y in
        Self.scene.color(x * 320 / 700, y * 240 / 525)
      } < 8)
    #expect(stretched.size == PixelSize(width: 17, height: 400))
  }

  // MARK: Errors

  @Test func refusesWhatIsNoSize() throws {
    let image = try Image(Self.oriented(.up))

    #expect(code { _ = try image.resized(to: .zero) } == .invalidSize)
    #expect(
      code { _ = try image.resized(to: CGSize(width: 1e5, height: 1e5)) } == .tooLarge)
    #expect(code { _ = try image.thumbnail(maxPixelSize: 0) } == .invalidSize)
  }

  @Test func refusesHalfAPicture() throws {
    for isProgressive in [false, true] {
      let data = try SubsampledJPEG.quarter.data(Self.scene, isProgressive: isProgressive)
      for part in [3, 2, 1] {
        let half = Data(data.prefix(data.count * part / 4))
        let file = try File(half)
        #expect(code { _ = try Image(half).thumbnail(maxPixelSize: 64) } == .incomplete)
        #expect(
          code { _ = try Image.thumbnail(contentsOf: file.url, maxPixelSize: 64) }
            == .incomplete)
      }
    }
  }

  @Test func refusesDamage() throws {
    let data = try SubsampledJPEG.quarter.data(ScaledPixelsTests.rough(320, 240), quality: 90)
    let damaged = data.prefix(data.count / 2) + data.suffix(data.count / 4)
    let file = try File(damaged)

    let expected = code { _ = try Image(damaged).pixelBuffer() }
    #expect(expected == .corrupt)
    #expect(code { _ = try Image(damaged).thumbnail(maxPixelSize: 40) } == expected)
    #expect(
      code { _ = try Image.thumbnail(contentsOf: file.url, maxPixelSize: 40) } == expected)
  }

  @Test func refusesASizeThatIsALie() throws {
    for isProgressive in [false, true] {
      let data = try SubsampledJPEG.quarter.data(Self.scene, isProgressive: isProgressive)
        .declaring(width: 14_000, height: 14_000)
      let file = try File(data)
      #expect(
        code { _ = try Image.thumbnail(contentsOf: file.url, maxPixelSize: 64) }
          == .incomplete)
      #expect(code { _ = try Image(data).thumbnail(maxPixelSize: 64) } == .incomplete)
      let limits = Image.Limits(pixelCount: 1000)
      #expect(
        code {
          _ = try Image.thumbnail(contentsOf: file.url, maxPixelSize: 64, limits: limits)
        } == .tooLarge)
    }
  }

  @Test func looksForAStartInTheFirstMebibyteAlone() throws {
    let jpeg = try Self.oriented(.up)
    let near = try File(Data(count: 1 << 20) + jpeg)
    let far = try File(Data(count: 2 << 20) + jpeg)

    #expect(try Image.thumbnail(contentsOf: near.url, maxPixelSize: 64).pixelWidth == 64)
    #expect(
      code { _ = try Image.thumbnail(contentsOf: far.url, maxPixelSize: 64) } == .corrupt)
  }

  @Test func isNotAPictureWithinAnotherKindOfFile() throws {
    let embedded = try Self.oriented(.up)
    let picture = PNGBytes(
      width: 30, height: 20, colorType: 0, depth: 8, chunks: [("eXIf", Array(embedded))]
    ) { _, _, _ in 200 }
    let png = try File(picture.data)
    let tiff = try File(Data("II*\0".utf8) + Data(count: 40) + embedded)

    let thumbnail = try Image.thumbnail(contentsOf: png.url, maxPixelSize: 300)

    #expect(thumbnail.size == PixelSize(width: 30, height: 20))
    #expect(try thumbnail.pixelBuffer().bgra(29, 19) == [200, 200, 200, 255])
    #expect(
      code { _ = try Image.thumbnail(contentsOf: tiff.url, maxPixelSize: 64) }
        == .unsupported)
  }

  @Test func survivesEveryTruncation() throws {
    let scene = Scene.gradient(width: 47, height: 37)
    for data in [
      try SubsampledJPEG.quarter.data(scene),
      try SubsampledJPEG.full.data(scene, isProgressive: true),
      StoredPictures.cmyk,
    ] {
      for length in stride(from: 0, to: data.count, by: 3) {
        let file = try File(data.prefix(length).copied)
        _ = try? Image.thumbnail(contentsOf: file.url, maxPixelSize: 20)
        _ = try? Image(data.prefix(length).copied).thumbnail(maxPixelSize: 20, inLinearLight: true)
      }
    }
  }

  @Test(
    .enabled(if: SharedPictures.areThere, "the shared pictures are not beside the package"),
    arguments: SharedPictures.names(in: "cameras") + SharedPictures.names(in: "orientation"))
  func showsCamerasPictures(_ name: String) throws {
    let url = try require(SharedPictures.folder).appending(path: name)
    let image = try Image(contentsOf: url)
    let thumbnail = try Image.thumbnail(contentsOf: url, maxPixelSize: 40)

    let whole = try Image(image.orientedPixelBuffer())
    let expected = try whole.thumbnail(maxPixelSize: 40)

    #expect(thumbnail.size == expected.size)
    #expect(try thumbnail.pixelBuffer().meanError(to: expected.pixelBuffer()) < 2)
  }

  // MARK: Of files as of data

  /// Some programs write the orientation with four bytes, or with others behind it.
  @Test(arguments: [(4, 1, 6), (3, 1, 6), (3, 2, 6), (3, 3, 30), (4, 2, 30), (3, 0, 6), (9, 1, 6)])
  func readsTheSameOrientation(_ type: Int, _ count: Int, _ field: Int) throws {
    typealias Bytes = MetadataBoundsTests
    let block = Bytes.tiff(
      [(0x0112, type, count, field)], [0, 0, 0, 0] + [6, 0, 0, 0, 0, 0, 0, 0])
    let data = try Bytes.jpeg(exif: block)
    let image = try Image(data)
    let file = try File(data)
    let thumbnail = try Image.thumbnail(contentsOf: file.url, maxPixelSize: 16)
    #expect(try thumbnail.size == image.thumbnail(maxPixelSize: 16).size)
    #expect(try data.jpegHeader().orientation == image.orientation)
    if type == 4 && count == 1 || type == 3 && count > 0 { #expect(image.orientation == .right) }
    #expect(try image.withOrientation(.left).orientation == .left)
  }

  @Test func putsTheColourProfilesPartsInOrder() throws {
    let profile = try require(ColorProfile(ColorProfileTests.profile(byteCount: 200_000)))
    let made = Image(try Self.scene.pixels(.rgb24), colorProfile: profile)
    var data = try require(made.jpegData(compressionQuality: 0.5))
    let parts = data.jpegContents(of: 0xE2)
    try #require(parts.count == 4)
    for (places, isWhole) in [([2, 0, 3, 1], true), ([3, 2, 1, 0, 0], true), ([0, 1, 3], false)] {
      data = data.withoutSegments(0xE2)
      for place in places { data = data.insertingSegment(0xE2, Array(parts[place])) }
      let file = try File(data)
      let images = [
        try Image(data), try Image(data).thumbnail(maxPixelSize: 16),
        try Image.thumbnail(contentsOf: file.url, maxPixelSize: 16),
        try Image(data).rotated(by: .half, oddEdges: .fail), try Image(data).strippingLocation(),
        try Image(data).strippingAllMetadata(),
      ]
      for image in images { #expect(image.colorProfile == (isWhole ? profile : nil)) }
    }
  }
}
