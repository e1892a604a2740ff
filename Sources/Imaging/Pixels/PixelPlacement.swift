/// Where a picture is drawn on a canvas of pixels, and how it is turned.
///
/// Whoever places pictures and whoever asks which pixel shows what use the same numbers: a canvas
/// pixel shows what its centre lies on.
package struct PixelPlacement: Hashable, Sendable {
  /// The canvas.
  package var canvas: PixelSize
  /// The left edge of the whole upright picture on the canvas, in pixels; it may lie beyond the
  /// canvas.
  package var x: Double
  /// Its upper edge.
  package var y: Double
  /// The whole upright picture's width on the canvas, in pixels.
  package var width: Double
  /// Its height.
  package var height: Double
  /// Degrees clockwise that make the picture upright: 0, 90, 180 or 270.
  package var clockwiseAngle: Int
  /// Whether the upright picture is then flipped left to right.
  package var isMirrored: Bool
  /// What is seen beside the picture.
  package var background: Background

  /// An opaque colour.
  package struct Background: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }

    package static let black = Background(red: 0, green: 0, blue: 0)
  }

  package init(
    canvas: PixelSize, x: Double, y: Double, width: Double, height: Double,
    clockwiseAngle: Int = 0, isMirrored: Bool = false, background: Background = .black
  ) {
    self.canvas = canvas
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.clockwiseAngle = clockwiseAngle
    self.isMirrored = isMirrored
    self.background = background
  }
}

// MARK: - What is drawn

extension PixelPlacement {
  /// The canvas columns that show the picture.
  var columns: Range<Int> { Self.pixels(from: x, length: width, within: canvas.width) }
  /// The canvas rows that show the picture.
  var rows: Range<Int> { Self.pixels(from: y, length: height, within: canvas.height) }

  /// Whether the picture's columns run along the canvas's rows.
  var isTransposed: Bool { clockwiseAngle == 90 || clockwiseAngle == 270 }

  /// Where canvas pixels lie along one side of the picture as it is stored.
  struct Axis: Hashable {
    /// The place of the first one's centre, in the picture's pixels.
    var start: Double
    /// The distance from one to the next.
    var step: Double

    fileprivate init(
      from edge: Double, length: Double, first: Int, isFlipped: Bool, pictureLength: Int
    ) {
      let scale = Double(pictureLength) / length
      let place = (Double(first) + 0.5 - edge) * scale
      start = isFlipped ? Double(pictureLength) - place : place
      step = isFlipped ? -scale : scale
    }
  }

  /// The places along the width of a picture of some size, and along its height.
  func axes(of size: PixelSize) -> (across: Axis, down: Axis) {
    // A quarter turn clockwise brings the lower left corner to the upper left, a mirror the right
    // to the left.
    let flipsAlongX = (clockwiseAngle == 90 || clockwiseAngle == 180) != isMirrored
    let flipsAlongY = clockwiseAngle == 180 || clockwiseAngle == 270
    let alongX = Axis(
      from: x, length: width, first: columns.lowerBound, isFlipped: flipsAlongX,
      pictureLength: isTransposed ? size.height : size.width)
    let alongY = Axis(
      from: y, length: height, first: rows.lowerBound, isFlipped: flipsAlongY,
      pictureLength: isTransposed ? size.width : size.height)
    return isTransposed ? (alongY, alongX) : (alongX, alongY)
  }

  /// Those whose centres lie within; none where nothing can be drawn.
  private static func pixels(from edge: Double, length: Double, within count: Int) -> Range<Int> {
    guard edge.isFinite, length.isFinite, length > 0, count > 0 else { return 0..<0 }
    let limit = Double(count)
    let first = min(max((edge - 0.5).rounded(.up), 0), limit)
    let end = min(max((edge + length - 0.5).rounded(.up), first), limit)
    return Int(first)..<Int(end)
  }
}
