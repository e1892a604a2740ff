import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct ImageEditingTests {
  private static let formats: [PixelFormat] = [.nv12, .yuyv, .grey, .bgra32]

  private func jpeg(
    _ format: PixelFormat = .nv12, _ width: Int = 96, _ height: Int = 64,
    _ orientation: ImageOrientation = .up
  ) throws -> Image {
    var metadata = ImageMetadata()
    metadata.orientation = orientation
    metadata.make = "Maker"
    return try Image(
      JPEGEncoder(quality: 0.95).encode(
        Scene.gradient(width: width, height: height).pixels(format), metadata: metadata))
  }

  private func isSame(_ one: Image, _ other: Image) throws -> Bool {
    try one.orientedPixelBuffer().meanError(to: other.orientedPixelBuffer()) == 0
  }

  // MARK: - Properties

  @Test(arguments: formats, ImageOrientation.allCases)
  func fourQuarterTurnsChangeNothing(
    _ format: PixelFormat, _ orientation: ImageOrientation
  ) throws {
    let image = try jpeg(format, 96, 64, orientation)
    // Decoders round rows and columns differently: what is turned before differs by a step from
    // what is turned after.
    let upright = try image.bakingOrientation(oddEdges: .fail)
    #expect(try upright.pixelBuffer().meanError(to: image.orientedPixelBuffer()) < 1)
    var turned = image
    for _ in 0..<4 { turned = try turned.rotated(by: .clockwise90, oddEdges: .fail) }
    #expect(try isSame(turned, upright))
    #expect(turned.orientation == .up && turned.metadata.make == "Maker")
    let back = try image.rotated(by: .clockwise90, oddEdges: .fail)
      .rotated(by: .counterclockwise90, oddEdges: .fail)
    #expect(try isSame(back, upright))
    let twice = try image.rotated(by: .clockwise90, oddEdges: .fail)
      .rotated(by: .clockwise90, oddEdges: .fail)
    #expect(try isSame(twice, image.rotated(by: .half, oddEdges: .fail)))
  }

  @Test(arguments: formats)
  func twoMirrorImagesChangeNothing(_ format: PixelFormat) throws {
    let image = try jpeg(format)
    for mirroring in [Image.Mirroring.horizontal, .vertical] {
      let mirrored = try image.mirrored(mirroring, oddEdges: .fail)
      #expect(try !isSame(mirrored, image))
      #expect(try isSame(mirrored.mirrored(mirroring, oddEdges: .fail), image))
    }
    let both = try image.mirrored(.horizontal, oddEdges: .fail)
      .mirrored(.vertical, oddEdges: .fail)
    #expect(try isSame(both, image.rotated(by: .half, oddEdges: .fail)))
  }

  @Test(arguments: formats, [ImageOrientation.up, .right, .leftMirrored])
  func aCropOfATurnIsATurnOfACrop(
    _ format: PixelFormat, _ orientation: ImageOrientation
  ) throws {
    let image = try jpeg(format, 96, 64, orientation)
    let (width, height) = (image.size.width, image.size.height)
    let part = PixelRect(x: 16, y: 16, width: 32, height: 16)
    // The same part once the picture was turned clockwise: its lower edge is its left one.
    let turnedPart = PixelRect(x: height - 32, y: 16, width: 16, height: 32)
    #expect(width == 96 || width == 64)

    let one = try image.cropped(to: part, oddEdges: .fail)
      .rotated(by: .clockwise90, oddEdges: .fail)
    let other = try image.rotated(by: .clockwise90, oddEdges: .fail)
      .cropped(to: turnedPart, oddEdges: .fail)

    #expect(one.size == PixelSize(width: 16, height: 32))
    #expect(try isSame(one, other))
  }

  // MARK: - Crops

  @Test(arguments: formats, ImageOrientation.allCases)
  func cropsWhatIsShown(_ format: PixelFormat, _ orientation: ImageOrientation) throws {
    let image = try jpeg(format, 96, 64, orientation)
    let part = PixelRect(x: 32, y: 16, width: 27, height: 21)
    let whole = try Image(image.orientedPixelBuffer()).cropped(to: part)
    for oddEdges in [OddEdges.reencode(), .reencode(quality: 1)] {
      let cropped = try image.cropped(to: part, oddEdges: oddEdges)
      #expect(cropped.size == part.size && cropped.orientation == orientation)
      #expect(try cropped.orientedPixelBuffer().meanError(to: whole.pixelBuffer()) < 2)
      #expect(cropped.metadata.make == "Maker")
    }
  }

  @Test func cropsWithoutLossWhereBlocksAllow() throws {
    let image = try jpeg(.nv12)
    let (pixels, part) = (try image.pixelBuffer(), PixelRect(x: 48, y: 32, width: 33, height: 19))
    let cropped = try image.cropped(to: part, oddEdges: .fail).pixelBuffer()
    // Colours next to the edge of a quarter-size plane are mixed with what lies beyond it.
    for (x, y) in [(2, 2), (10, 7), (30, 16)] {
      #expect(cropped.bgra(x, y) == pixels.bgra(x + 48, y + 32))
    }
    #expect(
      code { try image.cropped(to: PixelRect(x: 47, y: 32, width: 8, height: 8), oddEdges: .fail) }
        == .unsupported)
    #expect(
      code {
        try image.cropped(to: PixelRect(x: 47, y: 32, width: 8, height: 8), oddEdges: .exifOnly)
      }
        == .unsupported)
  }

  @Test func trimsToWhatIsWithinTheRectangle() throws {
    let image = try jpeg(.nv12)
    let trimmed = try image.cropped(
      to: PixelRect(x: 7, y: 17, width: 60, height: 40), oddEdges: .trim)
    #expect(trimmed.size == PixelSize(width: 51, height: 25))
    #expect(try trimmed.pixelBuffer().bgra(20, 10) == image.pixelBuffer().bgra(36, 42))
    let tooSmall = code {
      try image.cropped(to: PixelRect(x: 7, y: 17, width: 9, height: 9), oddEdges: .trim)
    }
    #expect(tooSmall == .unsupported)
  }

  @Test(
    arguments: [
      (0, 0, 0, 10), (0, 0, 10, 0), (-1, 0, 10, 10), (0, -1, 10, 10), (0, 0, 97, 10),
      (0, 0, 10, 65), (90, 0, 7, 10), (96, 64, 1, 1), (0, 0, -5, 10), (.max, 0, 1, 1),
      (1, 0, .max, 1), (.min, .min, .max, .max),
    ])
  func refusesRectanglesThatAreNoPart(_ x: Int, _ y: Int, _ width: Int, _ height: Int) throws {
    let rect = PixelRect(x: x, y: y, width: width, height: height)
    for image in [try jpeg(), try Image(jpeg().pixelBuffer())] {
      #expect(code { try image.cropped(to: rect) } == .invalidRectangle)
    }
  }

  @Test(
    arguments: [
      CGRect(x: Double.nan, y: 0, width: 1, height: 1),
      CGRect(x: 0, y: 0, width: Double.infinity, height: 1),
      CGRect(x: 0, y: 0, width: 1, height: -Double.infinity),
      CGRect(x: -Double.infinity, y: 0, width: 1, height: 1),
      CGRect(x: 1e300, y: 0, width: 1e300, height: 1), CGRect(x: 0, y: 0, width: 0.2, height: 5),
      CGRect(x: 0, y: 0, width: 0, height: 5), CGRect(x: 5, y: 5, width: -2, height: 2),
    ])
  func refusesWhatIsNoNumber(_ rect: CGRect) throws {
    #expect(code { try jpeg().cropped(to: rect) } == .invalidRectangle)
  }

  @Test func roundsEdgesToWholePixels() throws {
    let image = try jpeg()
    let cropped = try image.cropped(to: CGRect(x: 15.6, y: -0.4, width: 20.8, height: 10.2))
    #expect(cropped.size == PixelSize(width: 20, height: 10))
  }

  // MARK: - Policies

  @Test func turnsOddPicturesAsAsked() throws {
    let image = try jpeg(.nv12, 97, 65, .upMirrored)
    #expect(code { try image.rotated(by: .clockwise90, oddEdges: .fail) } == .unsupported)

    let trimmed = try image.rotated(by: .clockwise90, oddEdges: .trim)
    #expect(trimmed.size == PixelSize(width: 64, height: 96) && trimmed.orientation == .up)

    let encoded = try image.rotated(by: .clockwise90, oddEdges: .reencode(quality: 0.9))
    #expect(encoded.size == PixelSize(width: 65, height: 97) && encoded.orientation == .up)
    #expect(encoded.metadata.make == "Maker")

    let tagged = try image.rotated(by: .clockwise90, oddEdges: .exifOnly)
    #expect(tagged.size == encoded.size && tagged.pixelWidth == 97)
    #expect(tagged.orientation == .leftMirrored || tagged.orientation == .rightMirrored)
    #expect(tagged.encodedData?.jpegScans == image.encodedData?.jpegScans)
    #expect(
      try tagged.orientedPixelBuffer().meanError(to: encoded.orientedPixelBuffer()) < 2)
  }

  @Test func encodesAgainAtTheQualityThatIsAskedFor() throws {
    let image = try Image(
      JPEGEncoder(quality: 1).encode(
        Scene.noise(width: 97, height: 65).pixels(.yuyv)))
    func byteCount(_ quality: Double) throws -> Int {
      let turned = try image.rotated(by: .half, oddEdges: .reencode(quality: quality))
      #expect(turned.size == image.size)
      return try require(turned.encodedData).count
    }
    #expect(try byteCount(0.1) * 2 < byteCount(0.6))
    #expect(try byteCount(0.6) * 3 < byteCount(1) * 2)
    #expect(try byteCount(-.infinity) == byteCount(0))
    #expect(try byteCount(7) == byteCount(1))
    #expect(try byteCount(.nan) == byteCount(0.85))
  }

  @Test(arguments: ImageOrientation.allCases)
  func bakesTheOrientationIntoThePixels(_ orientation: ImageOrientation) throws {
    for image in [try jpeg(.nv12, 96, 64, orientation), try jpeg(.nv12, 91, 63, orientation)] {
      let baked = try image.bakingOrientation()
      #expect(baked.orientation == .up && baked.size == image.size)
      #expect(baked.pixelWidth == image.size.width)
      #expect(try baked.pixelBuffer().meanError(to: image.orientedPixelBuffer()) < 2)
    }
  }

  @Test func turnsPicturesMadeOfPixels() throws {
    let image = try Image(Scene.gradient(width: 33, height: 17).pixels(.nv12))
    var turned = image
    for _ in 0..<4 { turned = try turned.rotated(by: .counterclockwise90, oddEdges: .fail) }
    #expect(try isSame(turned, image) && turned.encodedData == nil)
    #expect(try image.rotated(by: .half).size == image.size)
    #expect(try image.rotated(by: .clockwise90).size == PixelSize(width: 17, height: 33))
  }
}
