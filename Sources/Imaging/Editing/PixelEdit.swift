/// A change of what a picture shows: a part of its stored pixels, turned.
struct PixelEdit: Hashable {
  /// The part, as stored.
  var rect: PixelRect
  /// How it is turned.
  var turn: PixelTurn
  /// What the result says of its orientation.
  var orientation: ImageOrientation

  /// The size of the result, as stored.
  var size: PixelSize { turn.size(of: rect.size) }

  /// Whether all of a picture stays.
  func keepsAll(of size: PixelSize) -> Bool { rect == PixelRect(size) }

  /// Pixels with the change.
  func applied(to pixels: PixelBuffer) throws(ImagingError) -> PixelBuffer {
    var result = try pixels.converted(to: .bgra32)
    if !keepsAll(of: result.size) { result = try LibYUVCropBridge.cropped(result, to: rect) }
    return try LibYUVBridge.oriented(result, by: turn.orientation)
  }

  /// Without what blocks of some size do not allow to be moved; nil where nothing is left.
  func trimmed(toUnits unit: PixelSize) -> PixelEdit? {
    var result = self
    (result.rect.x, result.rect.width) = Self.trimmed(
      rect.x..<rect.x + rect.width, unit.width, fromEnd: turn.reversesX)
    (result.rect.y, result.rect.height) = Self.trimmed(
      rect.y..<rect.y + rect.height, unit.height, fromEnd: turn.reversesY)
    return result.rect.width > 0 && result.rect.height > 0 ? result : nil
  }

  /// The side that becomes the first one has to lie between two units; the other one need not.
  private static func trimmed(
    _ range: Range<Int>, _ unit: Int, fromEnd: Bool
  ) -> (start: Int, count: Int) {
    if fromEnd { return (range.lowerBound, range.upperBound / unit * unit - range.lowerBound) }
    let start = (range.lowerBound + unit - 1) / unit * unit
    return (start, range.upperBound - start)
  }
}
