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
    fill(cells: [true], left: x.lowerBound, width: x.count, y: y, on: paint, off: paint)
  }

  /// Paints a row of equally wide cells in two colours, as far as they lie in the picture.
  ///
  /// A line is made once and copied to each row: cameras paint thirty times a second, in tests without
  /// optimization and on many threads.
  mutating func fill(
    cells: [Bool], left: Int, width: Int, y: Range<Int>, on: RGBColor, off: RGBColor
  ) {
    let y = y.clamped(to: 0..<layout.height)
    guard width > 0, left >= 0, left < layout.width, !y.isEmpty else { return }
    let right = min(left + cells.count * width, layout.width)
    let paints = zip(units(for: on), units(for: off))
    for (plane, (lit, dark)) in zip(layout.planes, paints) {
      let shift = lit.halvesWidth ? 1 : 0
      let columns = left >> shift..<(right + shift) >> shift
      let cellWidth = (width + shift) >> shift
      let (litCell, darkCell) = (lit.repeated(cellWidth), dark.repeated(cellWidth))
      var line: [UInt8] = []
      for isLit in cells { line += isLit ? litCell : darkCell }
      line.removeLast(max(0, line.count - columns.count * lit.bytes.count))

      let rows = lit.halvesHeight ? y.lowerBound / 2..<(y.upperBound + 1) / 2 : y
      for row in rows {
        let start = plane.offset + row * plane.bytesPerRow + columns.lowerBound * lit.bytes.count
        bytes.replaceSubrange(start..<start + line.count, with: line)
      }
    }
  }

  /// The smallest piece of a plane that stands for a colour.
  private struct Unit {
    var bytes: [UInt8]
    var halvesWidth = false
    var halvesHeight = false

    /// The piece again and again.
    func repeated(_ count: Int) -> [UInt8] {
      guard bytes.count > 1 else { return Array(repeating: bytes[0], count: count) }
      var result = bytes
      while result.count < count * bytes.count { result += result }
      result.removeLast(result.count - count * bytes.count)
      return result
    }
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
