import Foundation
import Imaging

/// A part of a picture between its pixels: what gestures move, before it is rounded.
///
/// In pixels of the picture as it is shown before it is turned, so that a turn leaves it alone.
struct CropArea: Hashable, Sendable {
  var midX: Double
  var midY: Double
  var width: Double
  var height: Double

  /// The largest area of some proportions in the middle of a picture.
  ///
  /// - Parameters:
  ///   - ratio: Its width divided by its height; nil for all of the picture.
  ///   - size: The picture's.
  init(largest ratio: Double?, in size: PixelSize) {
    let (fullWidth, fullHeight) = (Double(size.width), Double(size.height))
    (midX, midY) = (fullWidth / 2, fullHeight / 2)
    guard let ratio else {
      (width, height) = (fullWidth, fullHeight)
      return
    }
    // A side of less than a pixel would be nothing that can be cut out.
    width = min(max(fullHeight * ratio, 1), fullWidth)
    height = min(max(fullWidth / ratio, 1), fullHeight)
  }

  /// How much larger than this the largest area of the same proportions is.
  func zoom(in size: PixelSize) -> Double {
    max(1, min(Double(size.width) / width, Double(size.height) / height))
  }

  /// The most that the area can be zoomed in: no side has less than a pixel then.
  func zoomLimit(in size: PixelSize) -> Double {
    max(1, zoom(in: size) * min(width, height))
  }

  /// The same area, moved and made smaller as far as it must be to lie within a picture.
  func clamped(to size: PixelSize) -> CropArea {
    var result = self
    (result.midX, result.width) = Self.clamped(midX, width, to: Double(size.width))
    (result.midY, result.height) = Self.clamped(midY, height, to: Double(size.height))
    return result
  }

  private static func clamped(
    _ middle: Double, _ length: Double, to full: Double
  ) -> (middle: Double, length: Double) {
    let length = min(max(length, 1), full)
    return (min(max(middle, length / 2), full - length / 2), length)
  }

  /// The nearest whole pixels of a picture; each side has at least one.
  func rounded(in size: PixelSize) -> PixelRect {
    let (x, columns) = Self.rounded(midX, width, in: size.width)
    let (y, rows) = Self.rounded(midY, height, in: size.height)
    return PixelRect(x: x, y: y, width: columns, height: rows)
  }

  /// The length first: areas of the same sides come out with the same number of pixels.
  private static func rounded(
    _ middle: Double, _ length: Double, in full: Int
  ) -> (start: Int, count: Int) {
    let count = min(max(Int(length.rounded()), 1), full)
    let start = Int((middle - Double(count) / 2).rounded())
    return (min(max(start, 0), full - count), count)
  }
}
