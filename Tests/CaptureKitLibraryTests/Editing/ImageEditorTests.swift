import Foundation
import Imaging
import TestSupport
import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct ImageEditorTests {
  private let view = CGSize(width: 300, height: 200)
  private let photo = PixelSize(width: 4000, height: 3000)

  // MARK: - The part

  @Test func startsWithTheLargestPartInTheMiddle() {
    #expect(
      ImageEditor(imageSize: photo).cropRect == PixelRect(x: 0, y: 0, width: 4000, height: 3000))
    #expect(
      ImageEditor(imageSize: photo, aspectRatio: 1).cropRect
        == PixelRect(x: 500, y: 0, width: 3000, height: 3000))
    #expect(
      ImageEditor(imageSize: photo, aspectRatio: 0.5).cropRect
        == PixelRect(x: 1250, y: 0, width: 1500, height: 3000))
  }

  @Test(arguments: [0.0, -1, .nan, .infinity])
  func whatIsNoRatioIsAnyRatio(_ ratio: Double) {
    #expect(ImageEditor(imageSize: photo, aspectRatio: ratio).aspectRatio == nil)
  }

  @Test func aSquareStaysOneToThePixel() {
    var editor = ImageEditor(imageSize: PixelSize(width: 1001, height: 777), aspectRatio: 1)
    for step in 0..<200 {
      editor.zoom(by: 1.013, at: CGPoint(x: step, y: 3 * step % 200), in: view)
      #expect(editor.cropRect.width == editor.cropRect.height)
    }
  }

  @Test func otherProportionsKeepMiddleAndZoom() {
    var editor = ImageEditor(imageSize: photo)
    editor.crop(to: CGRect(x: 1000, y: 1000, width: 1000, height: 750))
    #expect(editor.zoom == 4)
    editor.aspectRatio = 1

    #expect(editor.zoom == 4)
    #expect(editor.cropRect == PixelRect(x: 1125, y: 1000, width: 750, height: 750))
  }

  @Test func takesAPartAsFarAsItLiesWithinThePicture() {
    var editor = ImageEditor(imageSize: photo, zoomLimit: 1000)
    editor.crop(to: CGRect(x: -100, y: 2900, width: 600, height: 600))
    #expect(editor.cropRect == PixelRect(x: 0, y: 2900, width: 500, height: 100))
    let before = editor
    editor.crop(to: CGRect(x: 5000, y: 0, width: 10, height: 10))
    editor.crop(to: CGRect(x: 0, y: 0, width: 0, height: 10))
    editor.crop(to: CGRect(x: Double.nan, y: 0, width: 10, height: 10))
    #expect(editor == before)
  }

  @Test func aPartOfFixedProportionsLiesWithinWhatIsAskedFor() {
    var editor = ImageEditor(imageSize: photo, aspectRatio: 2)
    editor.crop(to: CGRect(x: 1000, y: 1000, width: 800, height: 800))

    #expect(editor.cropRect == PixelRect(x: 1000, y: 1200, width: 800, height: 400))
  }

  @Test func resetsAllButTheProportions() {
    var editor = ImageEditor(imageSize: photo, aspectRatio: 1)
    let fresh = editor
    editor.zoom(by: 3, at: .zero, in: view)
    editor.rotate(.clockwise90)
    editor.reset()

    #expect(editor == fresh)
    #expect(!editor.isUnchanged)
    #expect(ImageEditor(imageSize: photo).isUnchanged)
  }

  // MARK: - Gestures

  @Test func zoomsAboutThePointThatIsHeld() throws {
    for turns in 0..<4 {
      var editor = ImageEditor(imageSize: photo, aspectRatio: 1)
      editor.setZoom(2)
      editor.turn(quarters: turns)
      let held = CGPoint(x: 140, y: 90)
      let before = try #require(editor.imagePoint(at: held, in: view))
      editor.zoom(by: 1.5, at: held, in: view)

      let after = try #require(editor.imagePoint(at: held, in: view))
      #expect(abs(before.x - after.x) < 1e-6 && abs(before.y - after.y) < 1e-6)
      #expect(abs(editor.zoom - 3) < 1e-9)
    }
  }

  @Test(arguments: [(0, -50.0, -30.0), (1, -30, 50), (2, 50, 30), (3, 30, -50)])
  func movesThePictureAsTheFingerMoves(turns: Int, x: Double, y: Double) {
    var editor = ImageEditor(imageSize: photo, aspectRatio: 1)
    editor.setZoom(3)
    editor.turn(quarters: turns)
    let before = editor.area
    // 200 units show 1000 pixels.
    editor.pan(by: CGPoint(x: 10, y: 6), in: view)

    #expect(abs(editor.area.midX - before.midX - x) < 1e-6)
    #expect(abs(editor.area.midY - before.midY - y) < 1e-6)
  }

  @Test func stopsAtTheEdges() {
    var editor = ImageEditor(imageSize: photo, aspectRatio: 1, zoomLimit: 4)
    editor.zoom(by: 100, at: .zero, in: view)
    #expect(editor.zoom == 4)
    editor.pan(by: CGPoint(x: 1e9, y: 1e9), in: view)
    #expect(editor.cropRect == PixelRect(x: 0, y: 0, width: 750, height: 750))
    editor.pan(by: CGPoint(x: -1e9, y: -1e9), in: view)
    #expect(editor.cropRect == PixelRect(x: 3250, y: 2250, width: 750, height: 750))
    editor.zoom(by: 0.001, at: .zero, in: view)
    #expect(editor.zoom == 1)
    #expect(editor.cropRect.height == 3000)
  }

  @Test func aTurnKeepsWhatIsInTheMiddle() throws {
    for ratio in [nil, 1, 1.5] as [Double?] {
      var editor = ImageEditor(imageSize: photo, aspectRatio: ratio)
      editor.setZoom(4)
      editor.pan(by: CGPoint(x: 40, y: -30), in: view)
      let (before, middle) = (editor, CGPoint(x: 150, y: 100))
      let seen = try #require(editor.imagePoint(at: middle, in: view))
      editor.rotate(.clockwise90)

      #expect(editor.imagePoint(at: middle, in: view) == seen)
      #expect(abs(editor.zoom - 4) < 1e-9)
      let shape = Double(editor.outputSize.width) / Double(editor.outputSize.height)
      if let ratio { #expect(abs(shape - ratio) < 0.01) }
      for _ in 0..<3 { editor.rotate(.clockwise90) }
      if ratio != 1.5 { #expect(editor == before) }
      #expect(editor.cropRect == before.cropRect)
    }
  }

  @Test(arguments: 0..<4)
  func placesInAViewAndInThePictureAreEachOthersInverse(_ turns: Int) throws {
    var editor = ImageEditor(imageSize: photo, aspectRatio: 1.25)
    editor.setZoom(1.7)
    editor.turn(quarters: turns)
    for x in stride(from: -100.0, through: 400, by: 50) {
      let place = CGPoint(x: x, y: 300 - x)
      let inPicture = try #require(editor.imagePoint(at: place, in: view))
      let back = try #require(editor.viewPoint(of: inPicture, in: view))
      #expect(abs(back.x - place.x) < 1e-9 && abs(back.y - place.y) < 1e-9)
    }
    let frame = editor.cropFrame(in: view)
    #expect(abs(frame.midX - 150) < 1e-9 && abs(frame.height - 200) < 1e-9)
    #expect(abs(frame.width / frame.height - 1.25) < 1e-9)
    let whole = editor.imageFrame(in: view)
    #expect(whole.insetBy(dx: -1e-6, dy: -1e-6).contains(frame))
    #expect(abs(whole.width / whole.height - (turns % 2 == 0 ? 4.0 / 3 : 3.0 / 4)) < 1e-9)
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e300, 1e-300] as [Double])
  func aViewWithoutASizeHasNoPlaces(_ side: Double) {
    var editor = ImageEditor(imageSize: photo, aspectRatio: 1)
    let before = editor
    let view = CGSize(width: 100, height: side)
    editor.zoom(by: 2, at: .zero, in: view)
    editor.pan(by: CGPoint(x: 5, y: 5), in: view)

    #expect(editor == before)
    #expect(editor.imagePoint(at: .zero, in: view) == nil)
    #expect(editor.viewPoint(of: .zero, in: view) == nil)
    #expect(editor.cropFrame(in: view) == .zero && editor.imageFrame(in: view) == .zero)
  }

  // MARK: - Whatever it is told

  private static let extremes: [Double] = [
    0, -0.0, 1, -1, 0.5, 2, 1e-308, .leastNonzeroMagnitude, 1e-9, 1e9, 1e300, 1e308, -1e308,
    .infinity,
    -.infinity, .nan, 65535, 0.999_999,
  ]

  @Test(arguments: 0..<8)
  func thePartLiesWithinThePicture(_ seed: Int) {
    var numbers = StoredSample.Generator(state: UInt64(seed))
    let sizes = [
      PixelSize(width: 1, height: 1), PixelSize(width: 65535, height: 1), photo,
      PixelSize(width: 3, height: 4000), PixelSize(width: -5, height: .max),
    ]
    for size in sizes {
      let ratio = Self.extremes.randomElement(using: &numbers)
      var editor = ImageEditor(
        imageSize: size, aspectRatio: ratio, zoomLimit: number(using: &numbers))
      for _ in 0..<400 {
        let gesture = change(&editor, using: &numbers)
        guard isSound(editor) else {
          Issue.record("\(gesture) made \(editor)")
          return
        }
      }
    }
  }

  private func number(using numbers: inout StoredSample.Generator) -> Double {
    if Bool.random(using: &numbers) { return Double.random(in: -3...3, using: &numbers) }
    return Self.extremes.randomElement(using: &numbers) ?? 0
  }

  private func change(_ editor: inout ImageEditor, using numbers: inout StoredSample.Generator)
    -> String
  {
    let (a, b) = (number(using: &numbers), number(using: &numbers))
    let view = CGSize(
      width: Bool.random(using: &numbers) ? 320 : number(using: &numbers),
      height: Bool.random(using: &numbers) ? 240 : number(using: &numbers))
    switch Int.random(in: 0..<8, using: &numbers) {
    case 0, 1:
      editor.zoom(by: a, at: CGPoint(x: b * 100, y: number(using: &numbers) * 100), in: view)
      return "zoom by \(a) at \(b) in \(view)"
    case 2, 3:
      editor.pan(by: CGPoint(x: a * 100, y: b * 100), in: view)
      return "pan by \(a), \(b) in \(view)"
    case 4: editor.rotate([.clockwise90, .half, .counterclockwise90][Int(numbers.next() % 3)])
    case 5: editor.setZoom(a)
    case 6: editor.aspectRatio = a
    default:
      editor.crop(
        to: CGRect(x: a * 100, y: b * 100, width: number(using: &numbers) * 100, height: a * 50))
    }
    return "rotate, zoom, ratio or crop \(a) \(b)"
  }

  private func isSound(_ editor: ImageEditor) -> Bool {
    let (rect, size) = (editor.cropRect, editor.imageSize)
    let area = editor.area
    let frame = editor.cropFrame(in: view)
    return rect.width >= 1 && rect.height >= 1 && rect.x >= 0 && rect.y >= 0
      && rect.x + rect.width <= size.width && rect.y + rect.height <= size.height
      && area.width >= 1 && area.height >= 1
      && area.midX - area.width / 2 >= -1e-6 && area.midY - area.height / 2 >= -1e-6
      && area.midX + area.width / 2 <= Double(size.width) + 1e-6
      && area.midY + area.height / 2 <= Double(size.height) + 1e-6
      && editor.zoom >= 1 && editor.zoom <= max(editor.zoomLimit, 1) * (1 + 1e-9)
      && (0...3).contains(editor.quarterTurns)
      && frame.width > 0 && frame.height > 0 && frame.width <= view.width + 1e-6
      && frame.height <= view.height + 1e-6
  }
}
