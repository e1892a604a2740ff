/// A rectangle of whole pixels, counted from the upper left corner.
public struct PixelRect: Hashable, Sendable {
  /// Pixels left of it.
  public var x: Int
  /// Rows above it.
  public var y: Int
  /// Pixels in a row.
  public var width: Int
  /// Rows.
  public var height: Int

  /// Names place and size.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

extension PixelRect {
  /// All of a picture.
  init(_ size: PixelSize) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

  /// Columns and rows.
  public var size: PixelSize { PixelSize(width: width, height: height) }

  /// Whether it is not empty and lies within a picture.
  func lies(within size: PixelSize) -> Bool {
    width > 0 && height > 0 && x >= 0 && y >= 0 && width <= size.width && height <= size.height
      && x <= size.width - width && y <= size.height - height
  }
}

// MARK: - CustomStringConvertible

extension PixelRect: CustomStringConvertible {
  /// `"640×480 at 10, 20"`.
  public var description: String { "\(size) at \(x), \(y)" }
}
