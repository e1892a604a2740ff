public import Imaging

/// The picture that simulated cameras show: known colours, and a number that tests and people can
/// read.
///
/// From top to bottom:
///
/// - along the top edge 18 square cells, 16 pixels each (less in pictures narrower than 288): white, black, then
///   the frame's number in 16 bits, white for one, the highest first; ``frameNumber(in:)`` reads them;
/// - down to three quarters of the height eight bars, equally wide, that stand still. They are
///   the 75 % bars of the television standards:
///
///   | bar | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
///   |---|---|---|---|---|---|---|---|---|
///   | colour | white | yellow | cyan | green | magenta | red | blue | black |
///   | red | 191 | 191 | 0 | 0 | 191 | 191 | 0 | 0 |
///   | green | 191 | 191 | 191 | 191 | 0 | 0 | 0 | 0 |
///   | blue | 191 | 0 | 191 | 0 | 191 | 0 | 191 | 0 |
///
/// - at the bottom a grey band with the number in large digits, and a white block that moves along
///   it from frame to frame.
///
/// ```swift
/// let frame = try stream.nextFrame(before: .now + .seconds(1))
/// if let picture = frame?.pixelBuffer {
///   print(TestPattern.frameNumber(in: picture) ?? "no number")
/// }
/// ```
public struct TestPattern: Hashable, Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int

  /// The pattern in a size; tests of colours need 16 by 16 pixels, the number needs a width of 36.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The number of colour bars.
  public static let barCount: Int = 8

  /// The colour of a bar, as the table says.
  ///
  /// - Parameter bar: 0, the white one at the left, to 7; others count as 7.
  /// - Returns: The colour that a right decoder shows, within rounding.
  public static func color(ofBar bar: Int) -> RGBColor {
    guard (0..<barCount).contains(bar) else { return RGBColor(grey: 0) }
    let level: UInt8 = 191
    return RGBColor(
      red: bar & 2 == 0 ? level : 0, green: bar & 4 == 0 ? level : 0,
      blue: bar & 1 == 0 ? level : 0)
  }

  /// The pixel in the middle of a bar, far from its edges.
  ///
  /// - Parameter bar: 0 to 7; others count as the nearest of these.
  /// - Returns: The column and the row.
  public func center(ofBar bar: Int) -> (x: Int, y: Int) {
    let bar = min(max(bar, 0), Self.barCount - 1)
    return ((barEdge(bar) + barEdge(bar + 1)) / 2, (barTop + bandTop) / 2)
  }

  /// Paints one frame.
  ///
  /// - Parameters:
  ///   - number: The frame's number; its lowest 16 bits are shown.
  ///   - format: YUYV, UYVY, NV12, YU12, GREY, RGB24, BGR24 or BGRA32.
  ///   - color: What its samples shall stand for.
  /// - Returns: nil for another format, or a size out of bounds.
  public func pixelBuffer(
    frame number: Int, format: PixelFormat, color: ColorDescription = .bt601Limited
  ) -> PixelBuffer? {
    guard var canvas = background(format: format, color: color) else { return nil }
    draw(frame: number, on: &canvas)
    return canvas.pixelBuffer
  }
}

// MARK: - Painting

extension TestPattern {
  static let cellCount = 18
  static let bandColor = RGBColor(grey: 64)

  /// Even, so that cells share no chroma samples; 0 where the picture is too narrow.
  var cellSide: Int { min(16, width / Self.cellCount & ~1) }
  private var bandTop: Int { Self.bounded(height) * 3 / 4 & ~1 }
  private var barTop: Int { min(cellSide, bandTop) }

  private func barEdge(_ bar: Int) -> Int {
    let bar = min(max(bar, 0), Self.barCount)
    let width = Self.bounded(width)
    return bar == Self.barCount ? width : width * bar / Self.barCount & ~1
  }

  /// A side with which reckoning cannot overflow; no picture has a longer one.
  private static func bounded(_ side: Int) -> Int {
    min(max(side, 0), PixelLayout.maximumSide)
  }

  /// What is the same in all frames; the colours' samples are multiplied by the light.
  func background(
    format: PixelFormat, color: ColorDescription, light: Double = 1
  ) -> PixelCanvas? {
    guard
      var canvas = PixelCanvas(format: format, width: width, height: height, color: color)
    else { return nil }
    for bar in 0..<Self.barCount {
      canvas.fill(
        x: barEdge(bar)..<barEdge(bar + 1), y: barTop..<bandTop,
        Self.color(ofBar: bar).lit(by: light))
    }
    canvas.fill(x: 0..<width, y: bandTop..<height, Self.bandColor.lit(by: light))
    canvas.fill(x: 0..<width, y: 0..<cellSide, RGBColor(grey: 0))
    return canvas
  }

  /// A picture without light.
  func black(format: PixelFormat, color: ColorDescription) -> PixelCanvas? {
    guard
      var canvas = PixelCanvas(format: format, width: width, height: height, color: color)
    else { return nil }
    canvas.fill(x: 0..<width, y: 0..<height, RGBColor(grey: 0))
    return canvas
  }

  /// What changes from frame to frame, on a background.
  func draw(frame number: Int, on canvas: inout PixelCanvas) {
    let number = number & 0xFFFF
    canvas.fill(
      cells: Self.cells(of: number), left: 0, width: cellSide, y: 0..<cellSide,
      on: RGBColor(grey: 255), off: RGBColor(grey: 0))
    let unit = min((height - bandTop) / 8, width / 24) & ~1
    guard unit > 0 else { return }
    let travel = max(1, (width - 2 * unit) / 2)
    let start = number * unit / 2 % travel * 2
    canvas.fill(x: start..<start + 2 * unit, y: bandTop..<bandTop + unit, RGBColor(grey: 255))
    drawDigits(of: number, unit: unit, left: unit, top: bandTop + 2 * unit, on: &canvas)
  }

  private static func cells(of number: Int) -> [Bool] {
    [true, false] + (0..<16).reversed().map { number >> $0 & 1 == 1 }
  }
}
