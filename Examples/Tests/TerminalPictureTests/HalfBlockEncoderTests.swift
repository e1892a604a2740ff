import Imaging
import Testing

@testable import TerminalPicture

@Suite(.timeLimit(.minutes(1)))
struct HalfBlockEncoderTests {
  typealias Color = PaintedCells.Color

  static func picture(
    _ columns: Int, _ rows: Int, _ color: (_ x: Int, _ y: Int) -> Color
  ) throws -> PixelBuffer {
    try PixelBuffer(format: .bgra, width: columns, height: rows * 2) { _, y, row in
      for x in 0..<columns {
        let color = color(x, y)
        let bytes = [color.blue, color.green, color.red, 255]
        for (offset, byte) in bytes.enumerated() {
          row.storeBytes(of: UInt8(byte), toByteOffset: 4 * x + offset, as: UInt8.self)
        }
      }
    }
  }

  private static func encoded(
    _ encoder: inout HalfBlockEncoder, _ picture: PixelBuffer
  ) throws -> [UInt8] {
    let bytes = encoder.encode(picture)
    return try #require(bytes)
  }

  /// By how much what is painted is off at most; nil where a pixel is not painted.
  private static func error(_ cells: PaintedCells, _ color: (Int, Int) -> Color) -> Int? {
    var worst = 0
    for (index, pixel) in cells.pixels.enumerated() {
      guard let pixel else { return nil }
      worst = max(
        worst, pixel.distance(to: color(index % cells.columns, index / cells.columns)))
    }
    return worst
  }

  @Test(arguments: [0, 2, 9]) func paintsEachPictureAfterAnother(tolerance: Int) throws {
    var random = SystemRandomNumberGenerator()
    var encoder = HalfBlockEncoder(columns: 13, rows: 7, depth: .truecolor, tolerance: tolerance)
    var cells = PaintedCells(columns: 13, rows: 7)
    var colors = (0..<13 * 14).map { _ in Color(red: 40, green: 40, blue: 40) }
    for _ in 0..<60 {
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        let place = Int.random(in: 0..<colors.count, using: &random)
        let palette = [0, 1, 2, 3, 9, 10, 40, 99, 100, 255]
        let levels = (0..<3).map { _ in palette.randomElement(using: &random) ?? 0 }
        colors[place] = Color(red: levels[0], green: levels[1], blue: levels[2])
      }
      let wanted = { colors[$1 * 13 + $0] }
      let bytes = try Self.encoded(&encoder, Self.picture(13, 7, wanted))
      cells.take(bytes)
      #expect(try #require(Self.error(cells, wanted)) <= tolerance)
      #expect(cells.unknown.isEmpty)
    }
  }

  @Test func writesNothingWhereNothingIsSeenToChange() throws {
    var encoder = HalfBlockEncoder(columns: 20, rows: 10, depth: .truecolor, tolerance: 2)
    let first = try Self.encoded(
      &encoder, Self.picture(20, 10) { x, y in Color(red: 10 * x, green: 9 * y, blue: 7) })
    #expect(!first.isEmpty)
    let noisy = try Self.picture(20, 10) { x, y in
      Color(red: 10 * x + (x + y) % 3, green: 9 * y + x % 2, blue: 7)
    }
    let second = try Self.encoded(&encoder, noisy)
    #expect(second.isEmpty)
  }

  /// What creeps within the tolerance from frame to frame does not add up.
  @Test func isNeverFurtherOffThanItMay() throws {
    var encoder = HalfBlockEncoder(columns: 2, rows: 1, depth: .truecolor, tolerance: 2)
    var cells = PaintedCells(columns: 2, rows: 1)
    for level in 0..<200 {
      let color = { (_: Int, _: Int) in Color(red: level, green: 0, blue: 255 - level) }
      cells.take(try Self.encoded(&encoder, Self.picture(2, 1, color)))
      #expect(try #require(Self.error(cells, color)) <= 2)
    }
  }

  @Test func writesFewBytes() throws {
    var encoder = HalfBlockEncoder(columns: 80, rows: 24, depth: .truecolor)
    let grey = Color(red: 9, green: 9, blue: 9)
    let plain = try Self.encoded(&encoder, Self.picture(80, 24) { _, _ in grey })
    // A byte a cell, a place a row, a colour.
    #expect(plain.count < 80 * 24 + 24 * 10)
    let one = try Self.picture(80, 24) { x, y in
      x == 40 && y == 13 ? Color(red: 200, green: 0, blue: 0) : grey
    }
    let change = try Self.encoded(&encoder, one)
    #expect(change.count < 60)
  }

  @Test func takesThePalettesNearestColors() throws {
    var encoder = HalfBlockEncoder(columns: 16, rows: 8, depth: .palette)
    var cells = PaintedCells(columns: 16, rows: 8)
    let wanted = { (x: Int, y: Int) in Color(red: 17 * x, green: 17 * y, blue: 8 * (x + y)) }
    cells.take(try Self.encoded(&encoder, Self.picture(16, 8, wanted)))
    let palette = (16..<256).map(PaintedCells.entry)
    for (index, pixel) in cells.pixels.enumerated() {
      let color = wanted(index % 16, index / 16)
      func distance(_ entry: [Int]) -> Int {
        let off = [entry[0] - color.red, entry[1] - color.green, entry[2] - color.blue]
        return off.reduce(0) { $0 + $1 * $1 }
      }
      let pixel = try #require(pixel)
      let best = palette.map(distance).min()
      #expect(distance([pixel.red, pixel.green, pixel.blue]) == best)
    }
  }

  @Test func refusesPicturesOfAnotherSize() throws {
    var encoder = HalfBlockEncoder(columns: 4, rows: 4, depth: .truecolor)
    let black = Color(red: 0, green: 0, blue: 0)
    let flat = try encoder.encode(Self.picture(4, 3) { _, _ in black })
    let grey = try PixelBuffer(format: .grey, width: 4, height: 8) { _, _, _ in }
    let other = encoder.encode(grey)
    #expect(flat == nil && other == nil)
    #expect(try !Self.encoded(&encoder, Self.picture(4, 4) { _, _ in black }).isEmpty)
  }
}
