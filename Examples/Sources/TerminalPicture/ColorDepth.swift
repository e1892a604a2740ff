/// How many colours cells can have.
public enum ColorDepth: Hashable, Sendable {
  /// 24 bits.
  case truecolor
  /// xterm's palette: a cube of 6 × 6 × 6 colours, and 24 greys.
  case palette
}

/// A colour of a cell: red, green and blue, or an entry of the palette.
struct CellColor: Hashable, Sendable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8
  /// The palette's entry; nil for a colour of 24 bits.
  var entry: UInt8?

  init(red: UInt8, green: UInt8, blue: UInt8, _ depth: ColorDepth) {
    (self.red, self.green, self.blue) = (red, green, blue)
    guard depth == .palette else { return }
    let chosen = Self.nearest(Int(red), Int(green), Int(blue))
    entry = chosen.entry
    (self.red, self.green, self.blue) = chosen.color
  }

  /// Whether nobody could tell one from the other, where a camera's noise would be written
  /// otherwise.
  func isLike(_ other: CellColor, within tolerance: Int) -> Bool {
    func isNear(_ a: UInt8, _ b: UInt8) -> Bool { abs(Int(a) - Int(b)) <= tolerance }
    guard entry == nil else { return entry == other.entry }
    return isNear(red, other.red) && isNear(green, other.green) && isNear(blue, other.blue)
  }

  /// Adds what chooses the colour: `38;` for what is drawn, `48;` for what is behind it.
  func write(_ target: StaticString, to bytes: inout [UInt8]) {
    target.withUTF8Buffer { bytes += $0 }
    if let entry {
      bytes += [UInt8(ascii: "5"), UInt8(ascii: ";")]
      Self.write(entry, to: &bytes)
      return
    }
    bytes += [UInt8(ascii: "2"), UInt8(ascii: ";")]
    Self.write(red, to: &bytes)
    bytes.append(UInt8(ascii: ";"))
    Self.write(green, to: &bytes)
    bytes.append(UInt8(ascii: ";"))
    Self.write(blue, to: &bytes)
  }

  private static func write(_ number: UInt8, to bytes: inout [UInt8]) {
    if number >= 100 { bytes.append(48 + number / 100) }
    if number >= 10 { bytes.append(48 + number / 10 % 10) }
    bytes.append(48 + number % 10)
  }
}

// MARK: - xterm's palette

extension CellColor {
  private static let levels = [0, 95, 135, 175, 215, 255]

  private static func nearest(
    _ red: Int, _ green: Int, _ blue: Int
  ) -> (entry: UInt8, color: (UInt8, UInt8, UInt8)) {
    let (r, g, b) = (level(red), level(green), level(blue))
    let cube = (levels[r], levels[g], levels[b])
    // 8, 18 … 238.
    let step = min(max(((red + green + blue) / 3 - 3) / 10, 0), 23)
    let grey = 8 + 10 * step
    func distance(_ to: (Int, Int, Int)) -> Int {
      (red - to.0) * (red - to.0) + (green - to.1) * (green - to.1) + (blue - to.2) * (blue - to.2)
    }
    if distance((grey, grey, grey)) < distance(cube) {
      return (UInt8(232 + step), (UInt8(grey), UInt8(grey), UInt8(grey)))
    }
    return (UInt8(16 + 36 * r + 6 * g + b), (UInt8(cube.0), UInt8(cube.1), UInt8(cube.2)))
  }

  /// The nearest of the cube's levels.
  private static func level(_ value: Int) -> Int {
    value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40
  }
}
