import Foundation
import Imaging
import TerminalPicture
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PictureSheetTests {
  /// Cells of 10 by 20 pixels: pixels are square; and of 8 by 20.
  private static func canvas(_ columns: Int, _ rows: Int, cellWidth: Double = 10) -> PictureCanvas {
    .halfBlocks(
      on: TerminalSize(columns: columns, rows: rows, cell: .init(width: cellWidth, height: 20)))
  }

  private static func white(_ width: Int, _ height: Int) throws -> Image {
    Image(
      try PixelBuffer(format: .bgra, width: width, height: height) { _, _, row in
        for place in 0..<row.byteCount {
          row.storeBytes(of: 255, toByteOffset: place, as: UInt8.self)
        }
      })
  }

  /// `#` for white, `+` for grey and `.` for black, a row a string.
  private static func look(_ sheet: PictureSheet) throws -> [String] {
    let pixels = try #require(sheet.pixels)
    var rows: [String] = []
    for y in 0..<pixels.height {
      let row = pixels.bytes(ofPlane: 0, row: y)
      var text = ""
      for x in 0..<pixels.width {
        let sample = row.unsafeLoad(fromByteOffset: 4 * x, as: UInt8.self)
        text += sample > 200 ? "#" : sample > 50 ? "+" : "."
      }
      rows.append(text)
    }
    return rows
  }

  @Test func drawsWithinAFrame() throws {
    var sheet = PictureSheet(Self.canvas(6, 2))
    try sheet.draw(try Self.white(3, 3), in: CGRect(x: 1, y: 1, width: 3, height: 2))
    #expect(try Self.look(sheet) == ["......", ".###..", ".###..", "......"])
  }

  @Test func cutsOffWhatLiesBesideTheSheet() throws {
    var sheet = PictureSheet(Self.canvas(4, 1))
    try sheet.draw(try Self.white(8, 8), in: CGRect(x: 2, y: -3, width: 9, height: 4))
    #expect(try Self.look(sheet) == ["..##", "...."])
    try sheet.draw(try Self.white(8, 8), in: CGRect(x: 40, y: 0, width: 9, height: 4))
    try sheet.draw(try Self.white(8, 8), in: CGRect(x: CGFloat.nan, y: 0, width: 9, height: 4))
    try sheet.draw(try Self.white(8, 8), in: CGRect(x: 0, y: 0, width: 0, height: 1e300))
    #expect(try Self.look(sheet) == ["..##", "...."])
  }

  @Test func keepsShapesWherePixelsAreNoSquares() throws {
    let canvas = Self.canvas(10, 4, cellWidth: 8)
    #expect(PictureSheet.size(of: canvas) == CGSize(width: 8, height: 8))
    var sheet = PictureSheet(canvas)
    let frame = PictureSheet.fit(2, 1, in: CGRect(origin: .zero, size: sheet.size))
    #expect(frame == CGRect(x: 0, y: 2, width: 8, height: 4))
    try sheet.draw(try Self.white(2, 1), in: frame)
    #expect(try Self.look(sheet).map { $0.first } == Array("..####.."))
    #expect(try Self.look(sheet)[3] == "##########")
  }

  @Test func darkensAndOutlines() throws {
    var sheet = PictureSheet(Self.canvas(5, 2))
    try sheet.draw(try Self.white(1, 1), in: CGRect(x: 0, y: 0, width: 5, height: 4))
    sheet.dim(outside: CGRect(x: 1, y: 1, width: 2, height: 2))
    #expect(try Self.look(sheet) == ["+++++", "+##++", "+##++", "+++++"])
    var empty = PictureSheet(Self.canvas(5, 2))
    empty.outline(
      CGRect(x: 1, y: 0, width: 9, height: 3), .init(red: 255, green: 255, blue: 255))
    #expect(try Self.look(empty) == [".####", ".#...", ".####", "....."])
  }

  @Test func drawsASignForMovies() throws {
    var sheet = PictureSheet(Self.canvas(12, 6))
    sheet.drawPlaySign(
      in: CGRect(x: 0, y: 0, width: 12, height: 12), .init(red: 255, green: 255, blue: 255))
    let rows = try Self.look(sheet)
    #expect(rows[0] == "............" && rows[5].hasPrefix("....##"))
    #expect(rows.joined().filter { $0 == "#" }.count == 8)
  }
}
