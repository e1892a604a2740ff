public import Foundation
public import Imaging

/// A canvas on which pictures are put together before they are shown.
///
/// Places are in units that are square as they are seen, and as high as a row of pixels.
public struct PictureSheet: Sendable {
  /// What is seen between pictures, and around what is meant.
  public struct Color: Hashable, Sendable {
    var bytes: [UInt8]

    /// An opaque colour.
    public init(red: UInt8, green: UInt8, blue: UInt8) { bytes = [blue, green, red, 255] }
  }

  /// What the terminal wants pictures to be like.
  public let canvas: PictureCanvas
  private var bytes: [UInt8]

  /// A black sheet.
  public init(_ canvas: PictureCanvas) {
    self.canvas = canvas
    bytes = Array(repeating: 0, count: 4 * canvas.width * canvas.height)
    for place in stride(from: 3, to: bytes.count, by: 4) { bytes[place] = 255 }
  }

  /// The canvas's size in square units.
  public static func size(of canvas: PictureCanvas) -> CGSize {
    CGSize(
      width: Double(canvas.width) * canvas.pixelAspectRatio, height: Double(canvas.height))
  }

  /// The sheet's size.
  public var size: CGSize { Self.size(of: canvas) }

  /// The largest frame of a picture's proportions in the middle of another frame.
  public static func fit(_ width: Int, _ height: Int, in frame: CGRect) -> CGRect {
    let (width, height) = (Double(max(1, width)), Double(max(1, height)))
    let scale = min(frame.width / width, frame.height / height)
    return CGRect(
      x: frame.midX - width * scale / 2, y: frame.midY - height * scale / 2,
      width: width * scale, height: height * scale)
  }

  /// The whole sheet as one picture; nil where that is none.
  public var pixels: PixelBuffer? {
    PixelLayout(format: .bgra, width: canvas.width, height: canvas.height)
      .flatMap { PixelBuffer(layout: $0, bytes: bytes) }
  }
}

// MARK: - Drawing

extension PictureSheet {
  /// Draws a picture that fills a frame, stretched where that has other proportions. What lies
  /// beside the sheet is cut off.
  ///
  /// - Throws: What `Image.resized` does: the picture is damaged, for one.
  public mutating func draw(
    _ image: Image, in frame: CGRect, quality: Image.ScalingQuality = .best
  ) throws(ImagingError) {
    let (columns, rows) = pixels(of: frame)
    guard !columns.isEmpty, !rows.isEmpty else { return }
    let size = CGSize(width: Double(columns.count), height: Double(rows.count))
    let drawn = try image.resized(to: size, contentMode: .scaleToFill, quality: quality)
      .orientedPixelBuffer()
    let seen = columns.clamped(to: 0..<canvas.width)
    for row in rows.clamped(to: 0..<canvas.height) where !seen.isEmpty {
      let start = 4 * (row * canvas.width + seen.lowerBound)
      let first = 4 * (seen.lowerBound - columns.lowerBound)
      drawn.bytes(ofPlane: 0, row: row - rows.lowerBound).withUnsafeBytes { source in
        bytes.replaceSubrange(
          start..<start + 4 * seen.count, with: source[first..<first + 4 * seen.count])
      }
    }
  }

  /// Makes what lies beside a frame darker.
  public mutating func dim(outside frame: CGRect) {
    let (columns, rows) = pixels(of: frame)
    for row in 0..<canvas.height {
      for column in 0..<canvas.width where !rows.contains(row) || !columns.contains(column) {
        let place = 4 * (row * canvas.width + column)
        for sample in place..<place + 3 { bytes[sample] /= 3 }
      }
    }
  }

  /// Draws a line of a pixel around a frame, within it.
  public mutating func outline(_ frame: CGRect, _ color: Color) {
    let (columns, rows) = pixels(of: frame)
    guard let left = columns.first, let right = columns.last, let top = rows.first,
      let bottom = rows.last
    else { return }
    for column in columns {
      set(column, top, color)
      set(column, bottom, color)
    }
    for row in rows {
      set(left, row, color)
      set(right, row, color)
    }
  }

  /// Draws the triangle that stands for what can be played, in the middle of a frame.
  public mutating func drawPlaySign(in frame: CGRect, _ color: Color) {
    let height = min(frame.width, frame.height) / 3
    for (column, row) in places(of: frame) {
      let x = (Double(column) + 0.5) * canvas.pixelAspectRatio - (frame.midX - height / 2)
      let y = abs(Double(row) + 0.5 - frame.midY)
      if x >= 0, x <= height, y <= (height - x) / 2 { set(column, row, color) }
    }
  }

  private func places(of frame: CGRect) -> [(column: Int, row: Int)] {
    let (columns, rows) = pixels(of: frame)
    return rows.flatMap { row in columns.map { ($0, row) } }
  }

  private mutating func set(_ column: Int, _ row: Int, _ color: Color) {
    guard (0..<canvas.width).contains(column), (0..<canvas.height).contains(row) else { return }
    let place = 4 * (row * canvas.width + column)
    bytes.replaceSubrange(place..<place + 4, with: color.bytes)
  }

  /// The pixels that a frame has, also those beside the sheet; none of one without a size.
  private func pixels(of frame: CGRect) -> (columns: Range<Int>, rows: Range<Int>) {
    (
      Self.pixels(
        from: frame.minX / canvas.pixelAspectRatio, to: frame.maxX / canvas.pixelAspectRatio),
      Self.pixels(from: frame.minY, to: frame.maxY)
    )
  }

  private static func pixels(from start: Double, to end: Double) -> Range<Int> {
    let bounds = -100_000.0...100_000
    guard bounds.contains(start), bounds.contains(end), start < end else { return 0..<0 }
    let first = Int(start.rounded())
    return first..<max(first + 1, Int(end.rounded()))
  }
}
