import Imaging

/// How pictures lie on a terminal of some size.
struct TerminalLayout: Hashable {
  /// The terminal's size.
  let whole: TerminalSize
  /// Rows below the pictures.
  let captionRowCount: Int
  let style: PictureStyle
  /// The most pixels of an image.
  let pixelLimit: Int

  /// The cells that pictures fill: a row at least.
  var size: TerminalSize {
    TerminalSize(
      columns: whole.columns, rows: whole.rows - captionRowCount, cell: whole.cell)
  }

  var canvas: PictureCanvas {
    switch style {
    case .kitty: .pixels(on: size, atMost: pixelLimit)
    case .halfBlocks: .halfBlocks(on: size)
    }
  }
}

/// Whatever turns pictures into bytes.
enum PictureEncoder {
  case kitty(KittyEncoder)
  case halfBlocks(HalfBlockEncoder)

  init(_ style: PictureStyle, size: TerminalSize, imageNumber: UInt32) {
    switch style {
    case .kitty: self = .kitty(KittyEncoder(size: size, number: imageNumber))
    case .halfBlocks(let depth):
      self = .halfBlocks(HalfBlockEncoder(columns: size.columns, rows: size.rows, depth: depth))
    }
  }

  /// The bytes that show a picture; nil where it cannot be shown.
  mutating func encode(_ pixels: PixelBuffer) -> [UInt8]? {
    switch self {
    case .kitty(var encoder):
      defer { self = .kitty(encoder) }
      return encoder.encode(pixels)
    case .halfBlocks(var encoder):
      defer { self = .halfBlocks(encoder) }
      return encoder.encode(pixels)
    }
  }
}

/// Chooses how many pixels images have, so that a slow line carries some images a second.
struct PicturePace: Hashable {
  /// The most pixels of an image.
  private(set) var pixelLimit = 320 * 180

  private static let largest = 640 * 480
  private static let smallest = 160 * 90

  /// Takes how long an image was on its way.
  mutating func add(_ duration: Duration) {
    if duration > .milliseconds(100) {
      pixelLimit = max(Self.smallest, pixelLimit / 2)
    } else if duration < .milliseconds(33) {
      pixelLimit = min(Self.largest, pixelLimit * 5 / 4)
    }
  }
}
