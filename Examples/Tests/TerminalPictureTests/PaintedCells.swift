import Imaging

@testable import TerminalPicture

/// A terminal that knows no more than half blocks need: what its cells show after some bytes.
struct PaintedCells {
  struct Color: Hashable {
    var red: Int
    var green: Int
    var blue: Int

    func distance(to other: Color) -> Int {
      max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue))
    }
  }

  let columns: Int
  /// Two rows of pixels for each row of cells; nil where nothing is drawn.
  private(set) var pixels: [Color?]
  private(set) var unknown: [String] = []
  private var place = (row: 0, column: 0)
  private var front: Color?
  private var back: Color?

  init(columns: Int, rows: Int) {
    self.columns = columns
    pixels = Array(repeating: nil, count: columns * rows * 2)
  }

  mutating func take(_ bytes: [UInt8]) {
    var rest = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1B}" else {
        draw(scalar)
        continue
      }
      _ = rest.popFirst()
      let body = rest.prefix { !(0x40...0x7E).contains($0.value) }
      rest = rest.dropFirst(body.count)
      let numbers = String(String.UnicodeScalarView(body)).split(separator: ";").map {
        Int($0) ?? -1
      }
      control(numbers, rest.popFirst() ?? "?")
    }
  }

  private mutating func control(_ numbers: [Int], _ final: Unicode.Scalar) {
    switch (final, numbers.count) {
    case ("H", 2): place = (numbers[0] - 1, numbers[1] - 1)
    case ("C", 0): place.column += 1
    case ("C", 1): place.column += numbers[0]
    case ("m", 0): (front, back) = (nil, nil)
    case ("m", _): choose(numbers[...])
    default: unknown.append("\(numbers)\(final)")
    }
  }

  private mutating func choose(_ numbers: ArraySlice<Int>) {
    var numbers = numbers
    while let target = numbers.popFirst() {
      let values: [Int]
      switch numbers.popFirst() {
      case 2:
        values = Array(numbers.prefix(3))
        numbers = numbers.dropFirst(3)
      case 5:
        values = Self.entry(numbers.popFirst() ?? 0)
      default:
        unknown.append("SGR")
        return
      }
      let color = Color(red: values[0], green: values[1], blue: values[2])
      if target == 38 { front = color } else { back = color }
    }
  }

  /// xterm's palette, from 16 on.
  static func entry(_ number: Int) -> [Int] {
    guard number < 232 else { return Array(repeating: 8 + 10 * (number - 232), count: 3) }
    let cube = [number - 16].flatMap { [$0 / 36, $0 / 6 % 6, $0 % 6] }
    return cube.map { $0 == 0 ? 0 : 55 + 40 * $0 }
  }

  private mutating func draw(_ scalar: Unicode.Scalar) {
    guard (0..<columns).contains(place.column), place.row * 2 * columns < pixels.count else {
      unknown.append("outside")
      return
    }
    let upper = place.row * 2 * columns + place.column
    switch scalar {
    case "▀": (pixels[upper], pixels[upper + columns]) = (front, back)
    case "▄": (pixels[upper], pixels[upper + columns]) = (back, front)
    case " ": (pixels[upper], pixels[upper + columns]) = (back, back)
    default: unknown.append("\(scalar)")
    }
    place.column += 1
  }
}
