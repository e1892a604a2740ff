import Foundation

/// A place in the CIE's diagram of colours.
private struct Chromaticity {
  var x: Double
  var y: Double

  /// X, Y, Z where Y is 1.
  var tristimulus: [Double] { [x / y, 1, (1 - x - y) / y] }
}

/// Three by three numbers, row by row.
private struct Matrix {
  var rows: [[Double]]

  static func * (matrix: Matrix, vector: [Double]) -> [Double] {
    matrix.rows.map { zip($0, vector).reduce(0) { $0 + $1.0 * $1.1 } }
  }

  static func * (one: Matrix, other: Matrix) -> Matrix {
    Matrix(columns: (0..<3).map { column in one * other.rows.map { $0[column] } })
  }

  init(rows: [[Double]]) { self.rows = rows }

  init(columns: [[Double]]) {
    rows = (0..<3).map { row in columns.map { $0[row] } }
  }

  init(diagonal: [Double]) {
    rows = (0..<3).map { row in (0..<3).map { $0 == row ? diagonal[row] : 0 } }
  }

  /// By cofactors; the primaries' triangles are never flat.
  var inverse: Matrix {
    func cofactor(_ row: Int, _ column: Int) -> Double {
      let (a, b) = ((row + 1) % 3, (row + 2) % 3)
      let (c, d) = ((column + 1) % 3, (column + 2) % 3)
      return rows[a][c] * rows[b][d] - rows[a][d] * rows[b][c]
    }
    let determinant = (0..<3).reduce(0) { $0 + rows[0][$1] * cofactor(0, $1) }
    return Matrix(rows: (0..<3).map { row in (0..<3).map { cofactor($0, row) / determinant } })
  }
}

extension ColorProfile {
  /// The profile of colours that a file names by the numbers of ITU-T H.273; nil where these mean
  /// sRGB or nothing, and for curves that no profile of this form describes, those of high dynamic
  /// range.
  init?(primaries: Int, transfer: Int) {
    guard let space = Self.space(primaries), let curve = Self.curve(transfer) else { return nil }
    let white = Self.white
    let triangle = Matrix(columns: space.primaries.map(\.tristimulus))
    let strengths = triangle.inverse * white.tristimulus
    // Bradford's: profiles mean colours as they look under D50.
    let cones = Matrix(rows: [
      [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
    ])
    let ratios = zip(cones * Self.paper, cones * white.tristimulus).map { $0 / $1 }
    let adaptation = cones.inverse * (Matrix(diagonal: ratios) * cones)
    let colors = adaptation * (triangle * Matrix(diagonal: strengths))
    var file = ProfileFile()
    file.add("desc", ProfileFile.text(space.name))
    file.add("cprt", ProfileFile.text("No copyright"))
    file.add("wtpt", ProfileFile.tristimulus(Self.paper))
    file.add("chad", ProfileFile.numbers("sf32", adaptation.rows.flatMap { $0 }))
    for (column, letter) in ["r", "g", "b"].enumerated() {
      file.add("\(letter)XYZ", ProfileFile.tristimulus(colors.rows.map { $0[column] }))
      file.add("\(letter)TRC", ProfileFile.curve(curve))
    }
    self.init(file.data(white: Self.paper))
  }

  /// D65.
  private static let white = Chromaticity(x: 0.3127, y: 0.329)
  /// D50, as the ICC writes it.
  private static let paper = [0.9642, 1, 0.8249]

  private static func space(_ number: Int) -> (name: String, primaries: [Chromaticity])? {
    switch number {
    case 9:
      (
        "BT.2020",
        [
          Chromaticity(x: 0.708, y: 0.292), Chromaticity(x: 0.17, y: 0.797),
          Chromaticity(x: 0.131, y: 0.046),
        ]
      )
    case 12:
      (
        "Display P3",
        [
          Chromaticity(x: 0.68, y: 0.32), Chromaticity(x: 0.265, y: 0.69),
          Chromaticity(x: 0.15, y: 0.06),
        ]
      )
    default: nil
    }
  }

  /// ICC's parameters g, a, b, c, d of (a x + b)^g, and c x below d.
  private static func curve(_ number: Int) -> [Double]? {
    switch number {
    case 13: [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
    case 1, 6, 14, 15: [1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081]
    case 4: [2.2, 1, 0, 0, 0]
    case 8: [1, 1, 0, 0, 0]
    default: nil
    }
  }
}

/// The bytes of a profile of colours on a display, version 4 (ISO 15076-1).
private struct ProfileFile {
  private var tags: [(name: String, element: [UInt8])] = []

  mutating func add(_ name: String, _ element: [UInt8]) {
    tags.append((name, element + [UInt8](repeating: 0, count: (4 - element.count % 4) % 4)))
  }

  func data(white: [Double]) -> Data {
    var table = Self.number(UInt32(tags.count))
    var elements: [UInt8] = []
    let start = 128 + 4 + 12 * tags.count
    for tag in tags {
      table += Array(tag.name.utf8) + Self.number(UInt32(start + elements.count))
      table += Self.number(UInt32(tag.element.count))
      elements += tag.element
    }
    var header = Self.number(UInt32(start + elements.count)) + [0, 0, 0, 0, 4, 0x20, 0, 0]
    header += Array("mntrRGB XYZ ".utf8) + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28) + white.flatMap(Self.fixed)
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return Data(header + table + elements)
  }

  static func tristimulus(_ values: [Double]) -> [UInt8] { numbers("XYZ ", values) }

  static func curve(_ parameters: [Double]) -> [UInt8] {
    Array("para".utf8) + [0, 0, 0, 0, 0, 3, 0, 0] + parameters.flatMap(fixed)
  }

  static func numbers(_ kind: String, _ values: [Double]) -> [UInt8] {
    Array(kind.utf8) + [0, 0, 0, 0] + values.flatMap(fixed)
  }

  static func text(_ text: String) -> [UInt8] {
    let characters = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    return Array("mluc".utf8) + [0, 0, 0, 0] + number(1) + number(12) + Array("enUS".utf8)
      + number(UInt32(characters.count)) + number(28) + characters
  }

  private static func fixed(_ value: Double) -> [UInt8] {
    number(UInt32(bitPattern: Int32((value * 65_536).rounded())))
  }

  private static func number(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
