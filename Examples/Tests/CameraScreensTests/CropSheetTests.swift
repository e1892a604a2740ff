import CameraScreens
import CaptureKitLibrary
import Foundation
import Imaging
import TerminalPicture
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CropSheetTests {
  /// Four quarters: red, green, blue and white.
  static func quarters(_ width: Int, _ height: Int) throws -> Image {
    Image(
      try PixelBuffer(format: .bgra, width: width, height: height) { _, row, bytes in
        for x in 0..<width {
          let (right, low) = (x >= width / 2, row >= height / 2)
          let color: [UInt8] =
            right ? (low ? [255, 255, 255] : [0, 255, 0]) : (low ? [255, 0, 0] : [0, 0, 255])
          for (sample, value) in (color + [255]).enumerated() {
            bytes.storeBytes(of: value, toByteOffset: 4 * x + sample, as: UInt8.self)
          }
        }
      })
  }

  /// A letter for the colour of a pixel; small where it is dark.
  static func letter(_ pixels: PixelBuffer, _ x: Int, _ y: Int) -> Character {
    let row = pixels.bytes(ofPlane: 0, row: y)
    func sample(_ index: Int) -> UInt8 {
      row.unsafeLoad(fromByteOffset: 4 * x + index, as: UInt8.self)
    }
    let color = [sample(2), sample(1), sample(0)]
    let names: [([Bool], Character)] = [
      ([true, false, false], "R"), ([false, true, false], "G"), ([false, false, true], "B"),
      ([true, true, true], "W"), ([false, false, false], " "),
    ]
    let name = names.first { $0.0 == color.map { $0 > 60 } }?.1 ?? "?"
    return (color.max() ?? 0) > 128 ? name : Character(name.lowercased())
  }

  private static let canvas = PictureCanvas.halfBlocks(
    on: TerminalSize(columns: 80, rows: 24))

  /// The letters in the middles of the four quarters of the crop frame, and the one at the canvas's
  /// left edge.
  private static func look(_ editor: ImageEditor, _ image: Image) throws -> String {
    let drawn = try CropSheet(image).draw(editor, on: canvas)
    let pixels = try #require(drawn)
    let view = CropSheet.view(on: canvas)
    let frame = editor.cropFrame(in: view.size).offsetBy(dx: view.minX, dy: view.minY)
    var letters = ""
    for (across, down) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
      let (x, y) = (frame.minX + frame.width * across, frame.minY + frame.height * down)
      letters.append(letter(pixels, Int(x), Int(y)))
    }
    letters.append(letter(pixels, 8, 14))
    return letters
  }

  @Test func showsAllOfAPictureAtFirst() throws {
    let image = try Self.quarters(256, 144)
    #expect(try Self.look(ImageEditor(imageSize: image.size), image) == "RGBWR")
  }

  @Test func turnsThePicture() throws {
    let image = try Self.quarters(128, 96)
    var editor = ImageEditor(imageSize: image.size)
    editor.rotate(.clockwise90)
    #expect(try Self.look(editor, image) == "BRWG ")
    editor.rotate(.clockwise90)
    #expect(try Self.look(editor, image) == "WBGR ")
  }

  @Test func darkensWhatIsLeftOut() throws {
    let image = try Self.quarters(256, 144)
    var editor = ImageEditor(imageSize: image.size, aspectRatio: 1)
    #expect(try Self.look(editor, image) == "RGBWr")
    editor.setZoom(2)
    EditGesture.pan(.right).apply(to: &editor, in: CropSheet.view(on: Self.canvas).size)
    let moved = editor.cropRect
    #expect(moved.x + moved.width / 2 > 128)
    for _ in 0..<20 {
      EditGesture.pan(.right).apply(to: &editor, in: CropSheet.view(on: Self.canvas).size)
    }
    #expect(try Self.look(editor, image).prefix(4) == "GGWW")
  }
}
