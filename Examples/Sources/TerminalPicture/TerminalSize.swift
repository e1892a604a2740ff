/// How large a terminal is.
public struct TerminalSize: Hashable, Sendable {
  /// Cells in a row.
  public var columns: Int
  /// Rows.
  public var rows: Int
  /// A cell's size in pixels; nil where nobody knows.
  public var cell: CellSize?

  /// The size of a cell in pixels.
  public struct CellSize: Hashable, Sendable {
    /// The width.
    public var width: Double
    /// The height.
    public var height: Double

    /// A size; nil where no letter could be read in it, as in what terminals answer that do not know.
    public init?(width: Double, height: Double) {
      guard (2...200).contains(width), (2...400).contains(height),
        (0.2...2).contains(width / height)
      else { return nil }
      self.width = width
      self.height = height
    }
  }

  /// A size of at least one cell.
  public init(columns: Int, rows: Int, cell: CellSize? = nil) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    self.cell = cell
  }
}

/// What a picture on the terminal is made of: how many pixels, and their shape.
public struct PictureCanvas: Hashable, Sendable {
  /// Pixels in a row.
  public var width: Int
  /// Rows of pixels.
  public var height: Int
  /// A pixel's width divided by its height.
  public var pixelAspectRatio: Double

  /// Two pixels a cell, one above the other.
  public static func halfBlocks(on size: TerminalSize) -> PictureCanvas {
    // Letters are about half as wide as they are high.
    let ratio = size.cell.map { 2 * $0.width / $0.height } ?? 1
    return PictureCanvas(width: size.columns, height: size.rows * 2, pixelAspectRatio: ratio)
  }

  /// The terminal's own pixels, or as many as there may be.
  public static func pixels(on size: TerminalSize, atMost limit: Int) -> PictureCanvas {
    let width = Double(size.columns) * (size.cell?.width ?? 10)
    let height = Double(size.rows) * (size.cell?.height ?? 20)
    let scale = min(1, (Double(max(1, limit)) / (width * height)).squareRoot())
    let canvas = (
      width: max(1, (width * scale).rounded()), height: max(1, (height * scale).rounded())
    )
    return PictureCanvas(
      width: Int(canvas.width), height: Int(canvas.height),
      pixelAspectRatio: (width / canvas.width) / (height / canvas.height))
  }
}
