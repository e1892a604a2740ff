import Imaging

extension TestPattern {
  /// Three columns by five rows, written as they look.
  private static let digits: [[StaticString]] = [
    ["###", "# #", "# #", "# #", "###"], [" # ", "## ", " # ", " # ", "###"],
    ["###", "  #", "###", "#  ", "###"], ["###", "  #", " ##", "  #", "###"],
    ["# #", "# #", "###", "  #", "  #"], ["###", "#  ", "###", "  #", "###"],
    ["###", "#  ", "###", "# #", "###"], ["###", "  #", " # ", " # ", " # "],
    ["###", "# #", "###", "# #", "###"], ["###", "# #", "###", "  #", "###"],
  ]

  /// Writes five digits in white, each dot a square of `unit` pixels.
  func drawDigits(
    of number: Int, unit: Int, left: Int, top: Int, on canvas: inout PixelCanvas
  ) {
    let white = RGBColor(grey: 255)
    for place in 0..<5 {
      let digit = [10_000, 1000, 100, 10, 1].map { number / $0 % 10 }[place]
      for (row, text) in Self.digits[digit].enumerated() {
        for (column, dot) in "\(text)".utf8.enumerated() where dot == UInt8(ascii: "#") {
          let x = left + (place * 4 + column) * unit
          let y = top + row * unit
          canvas.fill(x: x..<x + unit, y: y..<y + unit, white)
        }
      }
    }
  }
}
