import Imaging

/// An uncompressed picture that rectangles of one colour are painted on, in any format.
///
/// Edges are taken to even pixels by whoever paints, so that no chroma sample is shared.
struct PixelCanvas: Sendable {
  let layout: PixelLayout
  let color: ColorDescription
  private(set) var bytes: [UInt8]

  /// A canvas of zeros; nil where the format is compressed, has several blocks or is unknown.
  init?(format: PixelFormat, width: Int, height: Int, color: ColorDescription) {
    guard let layout = PixelLayout(format: format, width: width, height: height),
      layout.blockCount == 1
    else { return nil }
    self.layout = layout
    self.color = color
    bytes = [UInt8](repeating: 0, count: layout.byteCount(ofBlock: 0))
  }

  /// The picture as it is now.
  var pixelBuffer: PixelBuffer? { PixelBuffer(layout: layout, color: color, bytes: bytes) }

  /// Paints a rectangle, as far as it lies in the picture.
  mutating func fill(x: Range<Int>, y: Range<Int>, _ paint: RGBColor) {
    let x = x.clamped(to: 0..<layout.width)
    let y = y.clamped(to: 0..<layout.height)
    guard !x.isEmpty, !y.isEmpty else { return }
    for (plane, unit) in zip(layout.planes, units(for: paint)) {
      let columns = unit.halvesWidth ? x.lowerBound / 2..<(x.upperBound + 1) / 2 : x
      let rows = unit.halvesHeight ? y.lowerBound / 2..<(y.upperBound + 1) / 2 : y
      let line = Self.line(of: unit.bytes, count: columns.count)
      for row in rows {
        let start =
          plane.offset + row * plane.bytesPerRow + columns.lowerBound * unit.bytes.count
        bytes.replaceSubrange(start..<start + line.count, with: line)
      }
    }
  }

  /// A unit over and over; by doubling, which is fast in a debug build too.
  private static func line(of unit: [UInt8], count: Int) -> [UInt8] {
    var line = unit
    let byteCount = unit.count * count
    while line.count < byteCount { line += line }
    line.removeLast(line.count - byteCount)
    return line
  }

  /// The smallest piece of a plane that stands for a colour.
  private struct Unit {
    var bytes: [UInt8]
    var halvesWidth = false
    var halvesHeight = false
  }

  private func units(for paint: RGBColor) -> [Unit] {
    let (red, green, blue) = (paint.red, paint.green, paint.blue)
    let (luma, cb, cr) = paint.yCbCr(color)
    return switch layout.format {
    case .yuyv: [Unit(bytes: [luma, cb, luma, cr], halvesWidth: true)]
    case .uyvy: [Unit(bytes: [cb, luma, cr, luma], halvesWidth: true)]
    case .nv12:
      [Unit(bytes: [luma]), Unit(bytes: [cb, cr], halvesWidth: true, halvesHeight: true)]
    case .yuv420:
      [
        Unit(bytes: [luma]), Unit(bytes: [cb], halvesWidth: true, halvesHeight: true),
        Unit(bytes: [cr], halvesWidth: true, halvesHeight: true),
      ]
    case .grey: [Unit(bytes: [luma])]
    case .rgb24: [Unit(bytes: [red, green, blue])]
    case .bgr24: [Unit(bytes: [blue, green, red])]
    case .bgra32: [Unit(bytes: [blue, green, red, 255])]
    default: []
    }
  }
}
