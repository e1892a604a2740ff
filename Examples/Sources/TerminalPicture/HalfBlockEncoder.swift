import Imaging

/// Turns pictures into coloured half blocks, two pixels a cell: of each picture only the cells that
/// look other than what the terminal shows.
struct HalfBlockEncoder: Sendable {
  /// A cell's two pixels.
  private struct Cell: Hashable {
    var upper: CellColor
    var lower: CellColor

    func isLike(_ other: Cell, within tolerance: Int) -> Bool {
      upper.isLike(other.upper, within: tolerance) && lower.isLike(other.lower, within: tolerance)
    }
  }

  /// What the terminal draws with: nil while nobody knows.
  private struct Pen {
    var front: CellColor?
    var back: CellColor?
  }

  let columns: Int
  let rows: Int
  private let depth: ColorDepth
  private let tolerance: Int
  /// What the terminal shows; empty while nobody knows.
  private var shown: [Cell] = []

  /// - Parameters:
  ///   - columns: Cells in a row; pictures have as many pixels.
  ///   - rows: Rows of cells; pictures have twice as many of pixels.
  ///   - depth: The colours.
  ///   - tolerance: By how much red, green and blue of what is shown may be off, of 255.
  init(columns: Int, rows: Int, depth: ColorDepth, tolerance: Int = 2) {
    self.columns = columns
    self.rows = rows
    self.depth = depth
    self.tolerance = tolerance
  }

  /// What is to be written to show a picture, the upper left corner being the terminal's.
  ///
  /// - Parameter pixels: BGRA, of this size.
  /// - Returns: The bytes; none where nothing has changed, nil for a picture of another kind or size.
  mutating func encode(_ pixels: PixelBuffer) -> [UInt8]? {
    guard pixels.format == .bgra, pixels.width == columns, pixels.height == rows * 2 else {
      return nil
    }
    var bytes: [UInt8] = []
    var pen = Pen()
    let isFirst = shown.isEmpty
    for row in 0..<rows {
      let upper = pixels.bytes(ofPlane: 0, row: 2 * row)
      let lower = pixels.bytes(ofPlane: 0, row: 2 * row + 1)
      // Where the terminal's cursor is in this row; nil in another one.
      var cursor: Int?
      for column in 0..<columns {
        let wanted = Cell(upper: color(upper, column), lower: color(lower, column))
        let place = row * columns + column
        if !isFirst, wanted.isLike(shown[place], within: tolerance) { continue }
        Self.move(from: cursor, to: column, row, &bytes)
        let drawn = draw(wanted, with: &pen, &bytes)
        if isFirst { shown.append(drawn) } else { shown[place] = drawn }
        cursor = column + 1
      }
    }
    if !bytes.isEmpty { bytes += "\u{1B}[m".utf8 }
    return bytes
  }

  private func color(_ row: RawSpan, _ column: Int) -> CellColor {
    func sample(_ offset: Int) -> UInt8 {
      row.unsafeLoad(fromByteOffset: 4 * column + offset, as: UInt8.self)
    }
    return CellColor(red: sample(2), green: sample(1), blue: sample(0), depth)
  }

  private static func move(
    from cursor: Int?, to column: Int, _ row: Int, _ bytes: inout [UInt8]
  ) {
    guard let cursor else {
      bytes += "\u{1B}[\(row + 1);\(column + 1)H".utf8
      return
    }
    let gap = column - cursor
    if gap > 0 { bytes += (gap == 1 ? "\u{1B}[C" : "\u{1B}[\(gap)C").utf8 }
  }

  /// Draws a cell with as few changes of the pen as it takes.
  ///
  /// - Returns: What the terminal shows then.
  private func draw(_ cell: Cell, with pen: inout Pen, _ bytes: inout [UInt8]) -> Cell {
    func isLike(_ color: CellColor?, _ wanted: CellColor) -> Bool {
      color.map { wanted.isLike($0, within: tolerance) } ?? false
    }
    if cell.upper.isLike(cell.lower, within: tolerance) {
      if isLike(pen.back, cell.upper), isLike(pen.back, cell.lower), let back = pen.back {
        bytes.append(UInt8(ascii: " "))
        return Cell(upper: back, lower: back)
      }
      choose(nil, cell.upper, &pen, &bytes)
      bytes.append(UInt8(ascii: " "))
      return Cell(upper: cell.upper, lower: cell.upper)
    }
    // The upper half is drawn, or the lower one, whichever leaves more of the pen as it is.
    let kept = (isLike(pen.front, cell.upper) ? 1 : 0) + (isLike(pen.back, cell.lower) ? 1 : 0)
    let turned = (isLike(pen.front, cell.lower) ? 1 : 0) + (isLike(pen.back, cell.upper) ? 1 : 0)
    let drawsLower = turned > kept
    let front = drawsLower ? cell.lower : cell.upper
    let back = drawsLower ? cell.upper : cell.lower
    choose(
      isLike(pen.front, front) ? nil : front, isLike(pen.back, back) ? nil : back, &pen, &bytes)
    bytes += (drawsLower ? "▄" : "▀").utf8
    let drawn = (front: pen.front ?? front, back: pen.back ?? back)
    return drawsLower
      ? Cell(upper: drawn.back, lower: drawn.front) : Cell(upper: drawn.front, lower: drawn.back)
  }

  private func choose(
    _ front: CellColor?, _ back: CellColor?, _ pen: inout Pen, _ bytes: inout [UInt8]
  ) {
    guard front != nil || back != nil else { return }
    bytes += [0x1B, UInt8(ascii: "[")]
    front?.write("38;", to: &bytes)
    if front != nil, back != nil { bytes.append(UInt8(ascii: ";")) }
    back?.write("48;", to: &bytes)
    bytes.append(UInt8(ascii: "m"))
    pen.front = front ?? pen.front
    pen.back = back ?? pen.back
  }
}
