import Foundation
import Imaging
import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct ImageEditorApplyingTests {
  private func editor(
    for image: Image, _ part: PixelRect, quarterTurns: Int
  ) -> ImageEditor {
    var editor = ImageEditor(imageSize: image.size, zoomLimit: 100)
    editor.crop(to: CGRect(x: part.x, y: part.y, width: part.width, height: part.height))
    editor.turn(quarters: quarterTurns)
    return editor
  }

  /// Parts of pictures of 48 × 32 and of 32 × 48 pixels, on blocks and between them.
  static let parts = [
    PixelRect(x: 0, y: 0, width: 16, height: 24), PixelRect(x: 8, y: 16, width: 16, height: 8),
    PixelRect(x: 3, y: 5, width: 21, height: 11), PixelRect(x: 31, y: 31, width: 1, height: 1),
    PixelRect(x: 16, y: 8, width: 9, height: 17),
  ]

  @Test(arguments: ImageOrientation.allCases, PlacedPixels.Form.allCases)
  func makesWhatThePixelsSay(
    _ orientation: ImageOrientation, _ form: PlacedPixels.Form
  ) throws {
    let image = try PlacedPixels.image(orientation, form)
    let whole = PixelRect(x: 0, y: 0, width: image.size.width, height: image.size.height)
    for turns in 0..<4 {
      for part in Self.parts + [whole] {
        let editor = editor(for: image, part, quarterTurns: turns)
        try #require(editor.cropRect == part)

        let (edited, outcome) = try editor.apply(to: image)

        let comment = Comment(rawValue: "\(part), \(turns) turns, \(outcome)")
        #expect(edited.size == editor.outputSize, comment)
        #expect(
          try PlacedPixels.are(
            PlacedPixels.places(in: edited),
            PlacedPixels.expected(orientation, part, quarterTurns: turns), exactly: form != .jpeg),
          comment)
        if form != .jpeg { #expect(outcome != .reencoded, comment) }
      }
    }
  }

  @Test(arguments: ImageOrientation.allCases)
  func losesNothingWhereBlocksAllow(_ orientation: ImageOrientation) throws {
    let image = try PlacedPixels.image(orientation, .jpeg)
    // Its edges lie between blocks however the picture is stored.
    let part = PixelRect(x: 8, y: 8, width: 16, height: 16)
    for turns in 0..<4 {
      let (edited, outcome) = try editor(for: image, part, quarterTurns: turns).apply(to: image)

      #expect(outcome == .lossless)
      #expect(edited.format == .jpeg)
    }
  }

  @Test func aTurnThatBlocksDoNotAllowIsToldByTheTag() throws {
    let part = try PlacedPixels.image(.up, .pixels)
      .cropped(to: PixelRect(x: 0, y: 0, width: 45, height: 29))
    let image = try Image(#require(part.jpegData(compressionQuality: 1)))

    let (edited, outcome) = try editor(
      for: image, PixelRect(x: 0, y: 0, width: 45, height: 29), quarterTurns: 1
    ).apply(to: image)

    #expect(outcome == .lossless)
    #expect(edited.orientation == .right)
    #expect(edited.size == PixelSize(width: 29, height: 45))
    #expect(try edited.pixelBuffer().width == image.pixelBuffer().width)
  }

  @Test func aPartBetweenBlocksIsEncodedOnceAndUpright() throws {
    let image = try PlacedPixels.image(.right, .jpeg)
    let part = PixelRect(x: 3, y: 5, width: 21, height: 11)
    let editor = editor(for: image, part, quarterTurns: 1)

    let (edited, outcome) = try editor.apply(to: image)
    #expect(outcome == .reencoded)
    #expect(edited.orientation == .up)

    #expect(throws: LibraryError.self) { try editor.apply(to: image, oddEdges: .fail) }
    let (trimmed, other) = try editor.apply(to: image, oddEdges: .trim)
    #expect(other == .trimmed)
    #expect(trimmed.size.width <= edited.size.width)
  }

  @Test func anUnchangedPictureIsItself() throws {
    let image = try PlacedPixels.image(.left, .jpeg)
    var editor = ImageEditor(imageSize: image.size)
    editor.rotate(.clockwise90)
    editor.rotate(.counterclockwise90)

    let (edited, outcome) = try editor.apply(to: image)

    #expect(edited === image)
    #expect(outcome == .unchanged)
  }

  @Test func refusesAPictureOfAnotherSize() throws {
    let image = try PlacedPixels.image(.right, .jpeg)
    let editor = ImageEditor(imageSize: PlacedPixels.size, aspectRatio: 1)

    let error = #expect(throws: LibraryError.self) { try editor.apply(to: image) }
    #expect(error?.code == .cannotEdit)
    #expect(error?.description.contains("32×48") == true)
  }

  @Test func staysWithinThePicturesLimits() throws {
    let data = try #require(PlacedPixels.image(.up, .png).encodedData)
    let image = try Image(data, limits: Image.Limits(memoryByteCount: 48 * 32))
    var editor = ImageEditor(imageSize: image.size, aspectRatio: 1)
    editor.setZoom(2)

    let error = #expect(throws: LibraryError.self) { try editor.apply(to: image) }
    #expect(error?.code == .cannotEdit)
  }

  @Test func keepsWhatTheFileSaysOfItself() throws {
    let image = try PlacedPixels.image(.up, .jpeg).changingMetadata { $0.make = "Maker" }
    var editor = ImageEditor(imageSize: image.size, aspectRatio: 1)
    editor.rotate(.half)

    #expect(try editor.apply(to: image).image.metadata.make == "Maker")
  }
}
