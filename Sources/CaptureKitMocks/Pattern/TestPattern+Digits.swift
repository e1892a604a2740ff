import Imaging

extension TestPattern {
  /// Three columns by five rows, written as they look.
  private static let digits: [[String]] = [
    ["###", "# #", "# #", "# #", "###"], [" # ", "## ", " # ", " # ", "###"],
    ["###", "  #", "###", "#  ", "###"], ["###", "  #", " ##", "  #", "###"],
    ["# #", "# #", "###", "  #", "  #"], ["###", "#  ", "###", "  #", "###"],
    ["###", "#  ", "###", "# #", "###"], ["###", "  #", " # ", " # ", " # "],
    ["###", "# #", "###", "# #", "###"], ["###", "# #", "###", "  #", "###"],
  ]

  /// The same as dots, each row with a gap after it.
  private static let dots: [[[Bool]]] = digits.map { rows in
    rows.map { ($0 + " ").map { $0 == "#" } }
  }

  /// Writes five digits in white, each dot a square of `unit` pixels.
  func drawDigits(
    of number: Int, unit: Int, left: Int, top: Int, on canvas: inout PixelCanvas
  ) {
    let shown = [10_000, 1000, 100, 10, 1].map { Self.dots[number / $0 % 10] }
    for row in 0..<5 {
      var cells: [Bool] = []
      for digit in shown { cells += digit[row] }
      canvas.fill(
        cells: cells, left: left, width: unit, y: top + row * unit..<top + (row + 1) * unit,
        on: RGBColor(grey: 255), off: Self.bandColor)
    }
  }
}
