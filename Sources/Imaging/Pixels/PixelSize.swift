/// Columns and rows of a picture.
public struct PixelSize: Hashable, Sendable {
  /// Pixels in a row.
  public var width: Int
  /// Rows.
  public var height: Int

  /// Names columns and rows.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

// MARK: - CustomStringConvertible

extension PixelSize: CustomStringConvertible {
  /// `"1920×1080"`.
  public var description: String { "\(width)×\(height)" }
}
